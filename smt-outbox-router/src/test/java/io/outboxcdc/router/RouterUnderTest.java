package io.outboxcdc.router;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;

/** A configured router with a clock that stands still and counts that can be read. */
final class RouterUnderTest {

    static final Instant NOW = Instant.ofEpochMilli(OutboxRow.CAPTURED_AT);

    final LocalCounts counts = new LocalCounts();
    final OutboxRouter<SourceRecord> router = new OutboxRouter<>(Clock.fixed(NOW, ZoneOffset.UTC), counts);

    private RouterUnderTest() {}

    /** @param options name, value, name, value ... */
    static RouterUnderTest with(String... options) {
        return with(options(options));
    }

    static RouterUnderTest with(Map<String, String> options) {
        RouterUnderTest made = new RouterUnderTest();
        made.router.configure(options);
        return made;
    }

    /** The options that the supplied connector configuration sets. */
    static RouterUnderTest asShipped(String... more) {
        List<String> options = new ArrayList<>(List.of(
                "table.include.list", "public.outbox",
                "table.field.event.headers", "headers",
                "event.type.header", "eventType",
                "snapshot.events", "drop"));
        options.addAll(List.of(more));
        return with(options.toArray(String[]::new));
    }

    static Map<String, String> options(String... options) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            map.put(options[i], options[i + 1]);
        }
        return map;
    }

    @Nullable
    SourceRecord apply(OutboxRow row) {
        return router.apply(row.record());
    }

    SourceRecord route(OutboxRow row) {
        return Objects.requireNonNull(apply(row), "the row was dropped");
    }

    /** Routes a row that has to become a dead letter for this reason. */
    SourceRecord refuse(OutboxRow row, DeadLetterReason reason) {
        SourceRecord letter = route(row);
        assertThat(letter.topic()).isEqualTo("outbox.dead-letter");
        assertThat(header(letter, HeaderNames.ERROR_REASON)).isEqualTo(reason.name());
        return letter;
    }

    static @Nullable Object header(SourceRecord record, String name) {
        Header header = record.headers().lastWithName(name);
        return header == null ? null : header.value();
    }

    static List<Header> headers(SourceRecord record) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(headers::add);
        return headers;
    }

    static List<String> headerNames(SourceRecord record) {
        return headers(record).stream().map(Header::key).toList();
    }

    static JsonNode json(SourceRecord letter) {
        try {
            return new ObjectMapper().readTree((String) letter.value());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
