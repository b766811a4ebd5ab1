package io.outboxcdc.stack;

import java.time.Duration;
import java.util.stream.Collectors;

/**
 * A program that starts a stack and waits for its own end. Prints {@code starting} when the first part is on its way,
 * then the work folder and the ids of all processes that there are.
 */
final class StackHolder {

    private StackHolder() {}

    /** With the argument {@code frozen}, PostgreSQL and the worker are frozen before the ids are printed. */
    public static void main(String[] args) throws InterruptedException {
        try {
            hold(args[0].equals("frozen"));
        } catch (StackException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void hold(boolean frozen) throws InterruptedException {
        LocalStack stack = LocalStack.start(StackOptions.of(Home.FOLDER), new StartupProgress() {
            @Override
            public void starting(String part) {
                System.out.println("starting");
            }

            @Override
            public void ready(String part, Duration took) {}
        });
        if (frozen) {
            stack.postgresProcess().orElseThrow().freeze();
            stack.connectProcess().freeze();
        }
        System.out.println("folder " + stack.workFolder());
        System.out.println("pids "
                + ProcessHandle.current()
                        .descendants()
                        .map(handle -> Long.toString(handle.pid()))
                        .collect(Collectors.joining(" ")));
        Thread.currentThread().join();
    }
}
