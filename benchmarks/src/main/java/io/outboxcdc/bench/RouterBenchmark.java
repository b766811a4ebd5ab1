package io.outboxcdc.bench;

import io.debezium.transforms.outbox.EventRouter;
import org.apache.kafka.connect.source.SourceRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.concurrent.TimeUnit;

/** One record through one router, the making of the record included. Run by {@link RouterComparison}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields.
public class RouterBenchmark {

    @Param("DEFAULT_OPTIONS")
    public RouterCase work;

    @Param("OURS")
    public Contender contender;

    private ChangeRecords records;
    private EventRouter<SourceRecord> router;

    /** Made by JMH. */
    public RouterBenchmark() {}

    @Setup
    public void configure() {
        records = new ChangeRecords(work.row);
        router = contender.router(work);
    }

    /** Returns what was made of the record, so that nothing is optimised away. */
    @Benchmark
    public SourceRecord route() {
        return router.apply(records.next());
    }
}
