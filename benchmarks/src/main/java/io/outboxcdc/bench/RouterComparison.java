package io.outboxcdc.bench;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/**
 * Measures both routers on the same records, each in JVMs of its own, in turns. A router is given a fresh record each
 * time, so both pay for making it; ratios are therefore a little nearer to 1 than those of the routers alone.
 */
public final class RouterComparison {

    /** The worker's defaults matter little here; a small heap and the plainest collector disturb least. */
    static final List<String> JVM_OPTIONS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");

    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private final Effort effort;
    private final Consumer<String> progress;

    /**
     * Prepares a comparison; {@link #run} measures.
     *
     * @param progress is told, in a few words, what is measured next
     */
    public RouterComparison(Effort effort, Consumer<String> progress) {
        this.effort = effort;
        this.progress = progress;
    }

    /**
     * Measures one case after the other.
     *
     * @throws BenchmarkException if a measuring JVM could not be run to its end
     */
    public List<CaseResult> run(List<RouterCase> cases) {
        List<CaseResult> results = new ArrayList<>();
        for (RouterCase work : cases) {
            Map<Contender, List<IterationResult>> iterations = new EnumMap<>(Contender.class);
            for (int round = 1; round <= effort.rounds; round++) {
                for (Contender contender : Contender.values()) {
                    progress.accept("case %d of %d, %s: %s router, round %d of %d"
                            .formatted(
                                    results.size() + 1,
                                    cases.size(),
                                    work.label,
                                    contender.label,
                                    round,
                                    effort.rounds));
                    iterations
                            .computeIfAbsent(contender, any -> new ArrayList<>())
                            .addAll(measure(work, contender));
                }
            }
            results.add(new CaseResult(
                    work,
                    cost(iterations.getOrDefault(Contender.OURS, List.of())),
                    cost(iterations.getOrDefault(Contender.STOCK, List.of()))));
        }
        return results;
    }

    private List<IterationResult> measure(RouterCase work, Contender contender) {
        Options options = new OptionsBuilder()
                .include("^" + RouterBenchmark.class.getName().replace(".", "\\.") + "\\.route$")
                .param("work", work.name())
                .param("contender", contender.name())
                .forks(1)
                .warmupIterations(effort.warmups)
                .warmupTime(TimeValue.milliseconds(effort.iterationMillis))
                .measurementIterations(effort.iterations)
                .measurementTime(TimeValue.milliseconds(effort.iterationMillis))
                .addProfiler(GCProfiler.class)
                .jvmArgs(JVM_OPTIONS.toArray(String[]::new))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        try {
            return new Runner(options)
                    .run().stream()
                            .map(RunResult::getBenchmarkResults)
                            .flatMap(Collection::stream)
                            .map(BenchmarkResult::getIterationResults)
                            .flatMap(Collection::stream)
                            .toList();
        } catch (RunnerException e) {
            throw new BenchmarkException(work, contender, e);
        }
    }

    private static Cost cost(List<IterationResult> iterations) {
        return new Cost(
                median(iterations.stream()
                        .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())),
                median(iterations.stream().mapToDouble(RouterComparison::allocation)));
    }

    private static double allocation(IterationResult iteration) {
        String name = iteration.getSecondaryResults().keySet().stream()
                .filter(candidate -> candidate.endsWith(ALLOCATION))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("JMH's profiler of allocations has found nothing"));
        return Objects.requireNonNull(iteration.getSecondaryResults().get(name)).getScore();
    }

    /** One disturbed iteration does not move it, as it would move the mean. */
    private static double median(DoubleStream scores) {
        double[] sorted = scores.sorted().toArray();
        return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
                .average()
                .orElseThrow(() -> new IllegalStateException("JMH has measured nothing"));
    }
}
