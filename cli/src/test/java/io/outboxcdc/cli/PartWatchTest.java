package io.outboxcdc.cli;

import io.outboxcdc.stack.StackException;
import io.outboxcdc.stack.StackProcess;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: a pipeline that ends, with its data, because two of its parts were killed at once. */
class PartWatchTest {

    private final Part kafka = new Part("Kafka", () -> true);
    private final Part connect = new Part("Kafka Connect", () -> kafka.alive);
    private final StringWriter printed = new StringWriter();
    private final PartWatch watch = new PartWatch(
            new LinkedHashMap<>(Map.of("CONNECT_PID", connect)), new PrintWriter(printed), new PrintWriter(printed));

    @Test
    void aPartThatEndedIsStartedAndItsProcessPrinted() {
        connect.alive = false;

        watch.look();

        assertThat(connect.alive).isTrue();
        assertThat(printed.toString()).contains("Kafka Connect, process 1, has ended", "CONNECT_PID=2");
    }

    @Test
    void aPartThatEndsWhileAnotherOneComesUpIsStartedAfterwards() {
        Map<String, StackProcess> parts = new LinkedHashMap<>();
        parts.put("KAFKA_PID", kafka);
        parts.put("CONNECT_PID", connect);
        PartWatch both = new PartWatch(parts, new PrintWriter(printed), new PrintWriter(printed));
        connect.alive = false;
        connect.whileStarting = () -> kafka.alive = false;

        both.look();
        assertThat(connect.alive).isFalse();
        connect.whileStarting = () -> {};
        both.look();

        assertThat(kafka.alive).isTrue();
        assertThat(connect.alive).isTrue();
        assertThat(printed.toString()).contains("KAFKA_PID=2", "CONNECT_PID=3");
    }

    @Test
    void aPartThatDoesNotComeUpByItselfEndsThePipeline() {
        kafka.alive = false;
        connect.alive = false;

        assertThatThrownBy(watch::look).isInstanceOf(StackException.class).hasMessageContaining("Kafka Connect");
    }

    @Test
    void aPartThatDoesNotComeUpEndsThePipelineAlsoWhenAnotherOneThatNeedsItHasEnded() {
        Part broken = new Part("Kafka", () -> false);
        Map<String, StackProcess> parts = new LinkedHashMap<>();
        parts.put("KAFKA_PID", broken);
        parts.put("CONNECT_PID", connect);
        PartWatch both = new PartWatch(parts, new PrintWriter(printed), new PrintWriter(printed));
        broken.alive = false;
        connect.alive = false;

        assertThatThrownBy(both::look).isInstanceOf(StackException.class).hasMessageContaining("Kafka did not");
    }

    /** A process that comes up when what it needs is there. */
    private static final class Part implements StackProcess {

        private final String name;
        private final BooleanSupplier canStart;
        private Runnable whileStarting = () -> {};
        private boolean alive = true;
        private long pid = 1;

        private Part(String name, BooleanSupplier canStart) {
            this.name = name;
            this.canStart = canStart;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public Path log() {
            return Path.of(name + ".log");
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public void kill() {
            alive = false;
        }

        @Override
        public void freeze() {}

        @Override
        public void thaw() {}

        @Override
        public void stop() {
            alive = false;
        }

        @Override
        public void start() {
            whileStarting.run();
            // As a process does that does not answer in time: it runs on.
            alive = true;
            pid++;
            if (!canStart.getAsBoolean()) {
                throw new StackException(name + " did not come up");
            }
        }
    }
}
