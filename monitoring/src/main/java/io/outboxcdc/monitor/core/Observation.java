package io.outboxcdc.monitor.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * All that one sample says about one expected slot.
 *
 * <p>The order of reading matters and is kept by the sampler: first the slot, then Connect's offset, then the head again.
 * A slot never passes the offset, and an offset never the head, so whichever is read first can only be the smaller.
 *
 * @param connector empty when no connector is watched; an inner empty when its cluster knows no such connector
 * @param headAfterOffset the server's head, read after Connect's offset
 * @param kafka empty when Kafka is not watched
 * @param serverChange what says that this is another server than before
 * @param memory what was remembered, this sample included
 */
public record Observation(
        Instant now,
        ExpectedSlot expected,
        Reading<ServerFacts> server,
        Optional<Reading<Optional<ConnectorFacts>>> connector,
        Optional<Lsn> headAfterOffset,
        Optional<Reading<KafkaFacts>> kafka,
        Optional<String> serverChange,
        TimeLag lag,
        SlotMemory memory) {

    /** The slot, when the database answered and has one. */
    public Optional<SlotFacts> slot() {
        return server.value().map(facts -> facts.slots().get(expected.slot()));
    }

    /** The publication as it was found. */
    public Optional<PublicationFacts> publication() {
        return server.value().map(facts -> facts.publications().get(expected.slot()));
    }

    /** The connector, when its cluster answered and has it. */
    public Optional<ConnectorFacts> connectorFacts() {
        return connector.flatMap(Reading::value).flatMap(found -> found);
    }

    /** What the connector has stored, when that could be read and there is something. */
    public Optional<StoredOffset> storedOffset() {
        return connectorFacts().flatMap(facts -> facts.offset().value()).flatMap(stored -> stored);
    }

    /** How long nothing has moved although there is something to confirm. */
    public Duration standstill() {
        return Duration.between(memory.progressed(), now);
    }
}
