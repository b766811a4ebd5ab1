package io.outboxcdc.cli.demo;

import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;

/** Prints events as they arrive, one line each, under one head line. Thread-safe. */
public final class LiveTable {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final String ROW = "%-12s  %-22s %4s  %-10s  %-22s  %-36s %6s%n";

    private final PrintWriter out;
    private boolean headPrinted;

    public LiveTable(PrintWriter out) {
        this.out = out;
    }

    /**
     * Prints one event.
     *
     * @param time when it was received
     * @param latencyMillis from just before its commit was sent until it was received; empty when that is not known
     */
    public synchronized void print(LocalTime time, ArrivedEvent event, OptionalLong latencyMillis) {
        if (!headPrinted) {
            out.printf(Locale.ROOT, ROW, "time", "topic", "part", "key", "type", "id", "ms");
            headPrinted = true;
        }
        out.printf(
                Locale.ROOT,
                ROW,
                TIME.format(time),
                event.topic(),
                event.partition(),
                event.key().orElse("-"),
                event.deadLetterReason().or(event::eventType).orElse("-"),
                event.id().map(Object::toString).orElse("-"),
                latencyMillis.isPresent() ? Long.toString(latencyMillis.getAsLong()) : "-");
        out.flush();
    }
}
