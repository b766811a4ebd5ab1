package io.outboxcdc.cli;

import io.outboxcdc.monitor.SlotMonitor;
import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StackProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Keeps a whole pipeline running and prints where its parts are. */
@Command(
        name = "up",
        description = {
            "Starts a pipeline, prints where its parts are, and keeps it running until Ctrl-C.",
            "A part that ends is started again, and its new process printed."
        })
final class UpCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Interruption interruption;

    @Mixin
    private StackArguments arguments = new StackArguments();

    @Spec
    private CommandSpec command = CommandSpec.create();

    UpCommand(Interruption interruption) {
        this.interruption = interruption;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        try (OutboxPipeline pipeline = PipelineStart.start(arguments, new ConsoleProgress(err))) {
            interruption.endsInOrder();
            LocalStack stack = pipeline.stack();
            out.println("JDBC_URL=" + jdbcUrl(stack));
            out.println("KAFKA_BOOTSTRAP_SERVERS=" + stack.bootstrapServers());
            out.println("CONNECT_URL=" + stack.connectUrl());
            Map<String, StackProcess> parts = parts(stack);
            parts.forEach((name, part) -> out.println(name + "=" + part.pid()));
            out.flush();
            Optional<SlotMonitor> monitor = LocalMonitor.start(stack, out, err);
            try {
                err.println("The pipeline runs; logs are in " + stack.workFolder() + ". Ctrl-C ends it.");
                err.flush();
                PartWatch watch = new PartWatch(parts, out, err);
                while (!interruption.await(LOOK)) {
                    watch.look();
                }
            } finally {
                // Before the pipeline ends: what it watches is not to end under it, nor its folder.
                monitor.ifPresent(SlotMonitor::close);
            }
        }
        PipelineStart.tellWhatStays(arguments, err);
        return 0;
    }

    /** The password of an embedded database is made for this run; that of a given one is somebody's secret. */
    private String jdbcUrl(LocalStack stack) {
        return arguments.usesGivenDatabase()
                ? stack.postgres().jdbcUrlWithoutPassword()
                : stack.postgres().jdbcUrl();
    }

    private static Map<String, StackProcess> parts(LocalStack stack) {
        Map<String, StackProcess> parts = new LinkedHashMap<>();
        stack.postgresProcess().ifPresent(postgres -> parts.put("POSTGRES_PID", postgres));
        parts.put("KAFKA_PID", stack.kafkaProcess());
        parts.put("CONNECT_PID", stack.connectProcess());
        return parts;
    }
}
