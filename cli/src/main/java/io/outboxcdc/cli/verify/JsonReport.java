package io.outboxcdc.cli.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.outboxcdc.client.ledger.Finding;
import io.outboxcdc.client.ledger.Finding.Kind;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * For a program: one JSON object with all findings. They wait in a file without a name, since the numbers come first and
 * there may be as many findings as rows. Throws {@link UncheckedIOException} when a file cannot be written.
 */
public final class JsonReport implements FindingSink, AutoCloseable {

    private static final JsonFactory JSON = new JsonFactory();

    private final FileChannel waiting;
    private JsonGenerator findings;

    /** Findings wait in this folder. */
    public JsonReport(Path folder) {
        try {
            waiting = FileChannel.open(
                    folder.resolve("outbox-findings-" + UUID.randomUUID()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            findings = begin();
        } catch (IOException e) {
            throw new UncheckedIOException("The folder " + folder + " cannot take the findings: " + e.getMessage(), e);
        }
    }

    @Override
    public void restart() {
        try {
            findings.close();
            waiting.truncate(0);
            findings = begin();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void take(Finding finding, Optional<Place> place) {
        try {
            findings.writeStartObject();
            findings.writeStringField("kind", name(finding.kind()));
            findings.writeStringField("id", finding.id().toString());
            if (finding.times() > 1) {
                findings.writeNumberField("times", finding.times());
            }
            if (place.isPresent()) {
                findings.writeStringField("topic", place.get().topic());
                findings.writeNumberField("partition", place.get().partition());
                findings.writeNumberField("offset", place.get().offset());
            }
            findings.writeEndObject();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Writes the object; leaves the writer open. */
    public void write(Writer out, VerifyOptions options, VerifyResult result, boolean atLeastOnce) {
        try {
            findings.close();
            JsonGenerator json = JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.writeStartObject();
            json.writeStringField(
                    "verdict",
                    result.verdict(atLeastOnce).name().toLowerCase(Locale.ROOT).replace('_', '-'));
            writeScope(json, options, result);
            writeCounts(json, result);
            json.writeArrayFieldStart("notes");
            for (String note : result.notes()) {
                json.writeString(note);
            }
            json.writeEndArray();
            json.writeFieldName("findings");
            json.writeRawValue("");
            json.flush();
            waiting.position(0);
            Channels.newReader(waiting, StandardCharsets.UTF_8).transferTo(out);
            json.writeEndObject();
            json.writeRaw('\n');
            json.close();
            out.flush();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void close() {
        try {
            waiting.close();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private static void writeScope(JsonGenerator json, VerifyOptions options, VerifyResult result) throws IOException {
        json.writeStringField("table", options.table());
        strings(json, "slots", options.slots());
        json.writeStringField("slot_state", name(result.slots()));
        json.writeStringField("since", options.since().map(Object::toString).orElse(null));
        json.writeStringField("until", options.until().map(Object::toString).orElse(null));
        strings(json, "aggregate_types", options.aggregateTypes());
        strings(json, "topics", result.topics().stream().sorted().toList());
        json.writeStringField("isolation", options.readUncommitted() ? "read_uncommitted" : "read_committed");
        json.writeStringField("order_by", result.order().text());
    }

    private static void writeCounts(JsonGenerator json, VerifyResult result) throws IOException {
        json.writeObjectFieldStart("counts");
        json.writeNumberField("rows", result.tally().committed());
        json.writeNumberField("records", result.records());
        for (Kind kind : Kind.values()) {
            json.writeNumberField(name(kind), result.tally().count(kind));
        }
        json.writeNumberField("sent_again", result.tally().sentAgain());
        json.writeNumberField("order_not_judged", result.tally().withoutSequence());
        json.writeNumberField("aggregates_in_several_partitions", result.tally().spreadAggregates());
        json.writeNumberField("records_without_id", result.recordsWithoutId());
        json.writeEndObject();
    }

    private static void strings(JsonGenerator json, String field, Iterable<String> values) throws IOException {
        json.writeArrayFieldStart(field);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private JsonGenerator begin() throws IOException {
        waiting.position(0);
        JsonGenerator json = JSON.createGenerator(Channels.newOutputStream(waiting))
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.writeStartArray();
        return json;
    }

    private static UncheckedIOException failure(IOException e) {
        return new UncheckedIOException("The JSON report cannot be written: " + e.getMessage(), e);
    }
}
