package io.outboxcdc.client.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes messages of Kafka's records. */
final class Records {

    private static final String ID = "id";

    /** An index entry of PostgreSQL holds 2,704 bytes, and the consumer's name is in it too. */
    private static final int LONGEST_ID = 1_000;

    private final Counters counters;

    Records(Counters counters) {
        this.counters = counters;
    }

    List<InboxMessage> messages(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        List<InboxMessage> messages = new ArrayList<>();
        records.forEach(record -> messages.add(message(record)));
        return messages;
    }

    private InboxMessage message(ConsumerRecord<byte[], byte[]> record) {
        List<InboxMessage.Header> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(new InboxMessage.Header(header.key(), header.value()));
        }
        return new InboxMessage(
                id(record),
                record.topic(),
                record.partition(),
                record.offset(),
                Instant.ofEpochMilli(record.timestamp()),
                record.key(),
                record.value(),
                headers);
    }

    /**
     * Without an id the place in the topic serves: a record that is delivered again is then known again, one that was sent
     * again is not. The time is part of it, since a topic that was made anew counts its offsets from 0.
     */
    private String id(ConsumerRecord<byte[], byte[]> record) {
        return Optional.ofNullable(record.headers().lastHeader(ID))
                .map(Header::value)
                .flatMap(Records::usable)
                .orElseGet(() -> {
                    counters.withoutId.increment();
                    return record.topic() + "-" + record.partition() + "@" + record.offset() + "/" + record.timestamp();
                });
    }

    private static Optional<String> usable(byte[] value) {
        if (value.length > LONGEST_ID) {
            return Optional.empty();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
            return text.isBlank() || text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
