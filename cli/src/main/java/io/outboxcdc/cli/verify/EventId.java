package io.outboxcdc.cli.verify;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.UUID;

/** Reads ids strictly: {@link UUID#fromString} takes "1-1-1-1-1" too, and two texts would be one event. */
final class EventId {

    private static final int CHARACTERS = 36;

    private EventId() {}

    static Optional<UUID> parse(@Nullable String text) {
        if (text == null || text.length() != CHARACTERS) {
            return Optional.empty();
        }
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
