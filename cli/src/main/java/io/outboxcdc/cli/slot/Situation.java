package io.outboxcdc.cli.slot;

import io.outboxcdc.monitor.core.Lsn;
import io.outboxcdc.monitor.core.StoredOffset;

import java.util.Optional;

/**
 * What a command finds before it does anything.
 *
 * @param slot empty when there is none of that name
 * @param reader the connector that reads the slot; empty when the operator says that there is none
 */
public record Situation(Server server, Optional<Slot> slot, Optional<Reader> reader) {

    /**
     * The server.
     *
     * @param identifier of {@code pg_control_system}: a restored or another server has another one
     * @param database the one that is connected to
     * @param end how far the WAL is on disk
     * @param mayRegister whether this login may change {@code outbox_slot}
     * @param publication what {@code outbox_slot} says that the slot reads
     */
    public record Server(
            String identifier,
            String database,
            boolean standby,
            int majorVersion,
            Lsn end,
            boolean mayRegister,
            Optional<String> publication) {}

    /**
     * The slot.
     *
     * @param reader the process that holds it
     * @param lost whether it can never be read again
     * @param copy whether it is a standby's copy of the primary's slot
     */
    public record Slot(
            boolean logical,
            String database,
            Optional<Integer> reader,
            boolean lost,
            boolean failover,
            boolean copy,
            Optional<Lsn> restart,
            Optional<Lsn> confirmed) {}

    /**
     * The connector.
     *
     * @param slot the slot that its configuration names
     * @param messagePrefix the prefix of messages that are events, when it has one
     */
    public record Reader(
            String name,
            String state,
            int tasks,
            String slot,
            Optional<String> publication,
            Optional<String> messagePrefix,
            Optional<StoredOffset> offset) {

        /** Up to here Kafka has everything: a transaction that ends later may not be there. */
        Optional<Lsn> delivered() {
            return offset.flatMap(found -> found.committed().or(found::processed));
        }
    }

    /** Up to here Kafka is known to have everything; empty when nobody can tell. */
    public Optional<Lsn> delivered() {
        return reader.flatMap(Reader::delivered);
    }

    /** The publication that the slot's events go through. */
    public Optional<String> publication() {
        return reader.flatMap(Reader::publication).or(server::publication);
    }
}
