package io.outboxcdc.cli;

import io.outboxcdc.cli.demo.DemoRun;
import io.outboxcdc.monitor.SlotMonitor;
import io.outboxcdc.stack.LocalStack;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Starts the slot monitor beside a demo once the first event has arrived, so that a newcomer does not wait for it. */
final class DemoMonitor implements AutoCloseable {

    /** No monitor. */
    static final DemoMonitor NONE = new DemoMonitor();

    private static final long LOOK_MILLIS = 200;

    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread starter;

    private DemoMonitor() {
        // Never started, so there is nothing to wait for.
        this.starter = new Thread(() -> {}, "outbox-demo-without-monitor");
    }

    private DemoMonitor(DemoRun run, LocalStack stack, PrintWriter err) {
        this.starter = new Thread(() -> live(run, stack, err), "outbox-demo-monitor");
        starter.setDaemon(true);
        starter.start();
    }

    static DemoMonitor after(DemoRun run, LocalStack stack, PrintWriter err) {
        return new DemoMonitor(run, stack, err);
    }

    /** Waits until the monitor has ended, if one was started. */
    @Override
    public void close() {
        closing.countDown();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void live(DemoRun run, LocalStack stack, PrintWriter err) {
        try {
            while (!run.hasSeenAnEvent()) {
                if (closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            Optional<SlotMonitor> monitor = LocalMonitor.start(stack, err, err);
            try {
                closing.await();
            } finally {
                monitor.ifPresent(SlotMonitor::close);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
