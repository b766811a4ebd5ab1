package io.outboxcdc.router;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.util.OptionalLong;

/**
 * The time of an event's record.
 *
 * @param millis   since 1970; null leaves it to the producer
 * @param isRows   whether it is the time that the row itself tells
 * @param replaced whether the row has a time that Kafka would refuse
 */
record RecordTime(@Nullable Long millis, boolean isRows, boolean replaced) {

    /** The broker refuses later records, see its {@code message.timestamp.after.max.ms}; the producer negative ones. */
    static final long MAX_AHEAD_MILLIS = 3_600_000;

    static RecordTime of(OutboxEvent event, Clock clock) {
        OutboxTable.TimeColumn time = event.table().timestamp().orElse(null);
        Object value = time == null ? null : time.column().of(event.row());
        if (time == null || value == null) {
            return new RecordTime(event.capturedAt(), false, false);
        }
        OptionalLong millis = time.format().millis(value);
        return millis.isPresent() && isTaken(millis.getAsLong(), clock.millis())
                ? new RecordTime(millis.getAsLong(), true, false)
                : new RecordTime(event.capturedAt(), false, true);
    }

    /** The time of a dead letter: never one that would be refused. */
    static @Nullable Long safe(OutboxEvent event, long now) {
        Long millis = event.capturedAt();
        return millis != null && isTaken(millis, now) ? millis : null;
    }

    private static boolean isTaken(long millis, long now) {
        return millis >= 0 && millis <= now + MAX_AHEAD_MILLIS;
    }
}
