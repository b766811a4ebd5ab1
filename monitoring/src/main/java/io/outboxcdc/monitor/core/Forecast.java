package io.outboxcdc.monitor.core;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * When it goes wrong if it goes on like this.
 *
 * @param slotLostSeconds until the server drops WAL that the slot needs; empty when that is not foreseeable
 * @param diskFullSeconds until the WAL's volume is full; empty when that is not foreseeable
 */
public record Forecast(OptionalDouble slotLostSeconds, OptionalDouble diskFullSeconds) {

    private static final double HORIZON_SECONDS = 30 * 86_400;

    /** Nothing is foreseeable. */
    public static final Forecast NONE = new Forecast(OptionalDouble.empty(), OptionalDouble.empty());

    /** What comes first. */
    public record Event(String what, double seconds) {}

    /**
     * From what was read and how it grows.
     *
     * @param slotGrowth bytes a second that the slot's held WAL grows
     * @param serverGrowth bytes a second that the WAL held by anybody grows
     */
    public static Forecast of(
            SlotFacts slot, ServerFacts server, OptionalDouble slotGrowth, OptionalDouble serverGrowth) {
        if (slot.isLost()) {
            return new Forecast(OptionalDouble.empty(), diskFull(server, serverGrowth));
        }
        return new Forecast(slotLost(slot, slotGrowth), diskFull(server, serverGrowth));
    }

    /**
     * Until the WAL's volume is full. Segments beyond those that are held are used again before new ones are made, so they
     * count as room.
     */
    public static OptionalDouble diskFull(ServerFacts server, OptionalDouble growth) {
        OptionalLong free = server.wal().diskFree();
        if (free.isEmpty() || growth.isEmpty() || growth.getAsDouble() <= 0) {
            return OptionalDouble.empty();
        }
        double headroom = free.getAsLong() + Math.max(0, server.wal().bytes() - server.heldBytes());
        return within(headroom / growth.getAsDouble());
    }

    /** A trend of an hour says nothing about next year. */
    private static OptionalDouble within(double seconds) {
        return seconds <= HORIZON_SECONDS ? OptionalDouble.of(seconds) : OptionalDouble.empty();
    }

    private static OptionalDouble slotLost(SlotFacts slot, OptionalDouble growth) {
        OptionalLong safe = slot.safeWalSize();
        if (safe.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (safe.getAsLong() <= 0) {
            return OptionalDouble.of(0);
        }
        return growth.isEmpty() || growth.getAsDouble() <= 0
                ? OptionalDouble.empty()
                : within(safe.getAsLong() / growth.getAsDouble());
    }

    /** Whichever comes first. */
    public Optional<Event> first() {
        if (slotLostSeconds.isEmpty() && diskFullSeconds.isEmpty()) {
            return Optional.empty();
        }
        double lost = slotLostSeconds.orElse(Double.POSITIVE_INFINITY);
        double full = diskFullSeconds.orElse(Double.POSITIVE_INFINITY);
        return Optional.of(
                lost <= full ? new Event("the slot is lost", lost) : new Event("the disk of the WAL is full", full));
    }
}
