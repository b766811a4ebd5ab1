package io.outboxcdc.client.inbox;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class RecordsTest {

    private static final byte[] KEY = "42".getBytes(UTF_8);

    private final Counters counters = new Counters();

    static Stream<byte[]> unusable() {
        return Stream.of(
                new byte[0], " ".getBytes(UTF_8), "a\0b".getBytes(UTF_8), new byte[] {(byte) 0xff}, new byte[1_001]);
    }

    @Test
    void theHeaderIdIsTheId() {
        assertThat(message("m1".getBytes(UTF_8), KEY).id()).isEqualTo("m1");
        assertThat(counters.counts().withoutId()).isZero();
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void anIdThatTheTableCannotHoldIsReplacedByThePlaceInTheTopic(byte[] id) {
        assertThat(message(id, KEY).id()).isEqualTo("orders-3@17/99");
        assertThat(counters.counts().withoutId()).isEqualTo(1);
    }

    @Test
    void messagesOfOneKeyAndTopicShareALaneAndThoseWithoutAKeyAreAlone() {
        InboxMessage first = message("m1".getBytes(UTF_8), KEY);

        assertThat(message("m2".getBytes(UTF_8), KEY).lane()).isEqualTo(first.lane());
        assertThat(message("m2".getBytes(UTF_8), new byte[0]).lane()).isNotEqualTo(first.lane());
        assertThat(message("42".getBytes(UTF_8), null).lane()).isNotEqualTo(first.lane());
        assertThat(message("m1".getBytes(UTF_8), null).lane())
                .isNotEqualTo(message("m2".getBytes(UTF_8), null).lane());
    }

    @Test
    void aMessageNamesItselfWithoutItsContent() {
        assertThat(message("m1".getBytes(UTF_8), KEY).toString()).isEqualTo("InboxMessage[id=m1, place=orders-3@17]");
    }

    private InboxMessage message(byte[] id, byte @Nullable [] key) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("id", id);
        return new Records(counters)
                .messages(List.of(new ConsumerRecord<>(
                        "orders", 3, 17, 99, TimestampType.CREATE_TIME, 0, 0, key, KEY, headers, Optional.empty())))
                .get(0);
    }
}
