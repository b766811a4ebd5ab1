package io.outboxcdc.monitor.core;

import java.util.Optional;

/**
 * A slot that stands beyond what its connector has stored. The connector confirms only what it has stored, so somebody
 * else has moved the slot, or made it anew, or the offsets were set back.
 *
 * @param slot what the slot has confirmed
 * @param offset the farthest stored position
 */
public record Gap(Lsn slot, Lsn offset) {

    /** In this mode the driver confirms by itself, and the slot may pass the stored position. */
    private static final String DRIVER_CONFIRMS = "connector_and_driver";

    /** The gap of a sample, if there is one. */
    public static Optional<Gap> of(Observation sample, SlotFacts slot) {
        Optional<Lsn> offset = sample.storedOffset().flatMap(StoredOffset::farthest);
        boolean exact = sample.connectorFacts()
                .map(connector -> !DRIVER_CONFIRMS.equals(connector.config().get("lsn.flush.mode")))
                .orElse(false);
        if (!exact || offset.isEmpty() || slot.confirmed().isEmpty()) {
            return Optional.empty();
        }
        return slot.confirmed().get().isAfter(offset.get())
                ? Optional.of(new Gap(slot.confirmed().get(), offset.get()))
                : Optional.empty();
    }

    /** The WAL between the two. */
    public long bytes() {
        return slot.minus(offset);
    }
}
