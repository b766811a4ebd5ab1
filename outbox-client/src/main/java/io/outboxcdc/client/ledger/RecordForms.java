package io.outboxcdc.client.ledger;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.UUID;

/** The written forms of what a {@link Reconciliation} sorts. */
final class RecordForms {

    private static final int ID = 16;
    private static final int POSITION = Integer.BYTES + Long.BYTES;
    private static final int SEQUENCE = 2 * Long.BYTES;

    static final RecordForm<CommittedEvent> COMMITTED = new RecordForm<>() {
        @Override
        public int bytes() {
            return ID + AggregateKey.BYTES + Long.BYTES + 1 + SEQUENCE;
        }

        @Override
        public void write(CommittedEvent event, ByteBuffer to) {
            writeId(event.id(), to);
            writeAggregate(event.aggregate(), to);
            to.putLong(event.createdAtMicros());
            Sequence sequence = event.sequence();
            to.put((byte) (sequence == null ? 0 : 1));
            writeSequence(sequence == null ? Sequence.of(0) : sequence, to);
        }

        @Override
        public CommittedEvent read(ByteBuffer from) {
            return new CommittedEvent(readId(from), readAggregate(from), from.getLong(), readNullableSequence(from));
        }
    };

    static final RecordForm<Sighting> SIGHTING = new RecordForm<>() {
        @Override
        public int bytes() {
            return ID + POSITION + 1;
        }

        @Override
        public void write(Sighting sighting, ByteBuffer to) {
            writeId(sighting.id(), to);
            writePosition(sighting.position(), to);
            to.put((byte) ((sighting.deadLetter() ? 1 : 0) | (sighting.later() ? 2 : 0)));
        }

        @Override
        public Sighting read(ByteBuffer from) {
            UUID id = readId(from);
            Position position = readPosition(from);
            byte flags = from.get();
            return new Sighting(id, position, (flags & 1) != 0, (flags & 2) != 0);
        }
    };

    static final RecordForm<Arrival> ARRIVAL = new RecordForm<>() {
        @Override
        public int bytes() {
            return AggregateKey.BYTES + POSITION + SEQUENCE + ID;
        }

        @Override
        public void write(Arrival arrival, ByteBuffer to) {
            writeAggregate(arrival.aggregate(), to);
            writePosition(arrival.position(), to);
            writeSequence(arrival.sequence(), to);
            writeId(arrival.id(), to);
        }

        @Override
        public Arrival read(ByteBuffer from) {
            return new Arrival(readAggregate(from), readPosition(from), readSequence(from), readId(from));
        }
    };

    private RecordForms() {}

    private static void writeId(UUID id, ByteBuffer to) {
        to.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    private static UUID readId(ByteBuffer from) {
        return new UUID(from.getLong(), from.getLong());
    }

    private static void writeAggregate(AggregateKey key, ByteBuffer to) {
        to.putLong(key.high()).putLong(key.low());
    }

    private static AggregateKey readAggregate(ByteBuffer from) {
        return new AggregateKey(from.getLong(), from.getLong());
    }

    private static void writePosition(Position position, ByteBuffer to) {
        to.putInt(position.lane()).putLong(position.offset());
    }

    private static Position readPosition(ByteBuffer from) {
        return new Position(from.getInt(), from.getLong());
    }

    private static void writeSequence(Sequence sequence, ByteBuffer to) {
        to.putLong(sequence.major()).putLong(sequence.minor());
    }

    private static Sequence readSequence(ByteBuffer from) {
        return new Sequence(from.getLong(), from.getLong());
    }

    private static @Nullable Sequence readNullableSequence(ByteBuffer from) {
        boolean known = from.get() != 0;
        Sequence sequence = readSequence(from);
        return known ? sequence : null;
    }
}
