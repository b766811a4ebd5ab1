package io.outboxcdc.it.sql;

import io.outboxcdc.stack.sql.OutboxSql;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What the router would have to dead-letter does not get into the table, and what it takes does. */
@ParameterizedClass
@EnumSource
class OutboxChecksIT {
    private record Refused(String column, String expression, String constraint) {}

    private static final List<Refused> REFUSED = List.of(
            new Refused("aggregate_type", "''", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "'.'", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "'..'", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "'Order item'", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "'Order/Item'", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "E'Order\\n'", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "'Größe'", "outbox_aggregate_type_legal"),
            new Refused("aggregate_type", "repeat('a', 237)", "outbox_aggregate_type_length"),
            new Refused("aggregate_id", "''", "outbox_aggregate_id_not_blank"),
            new Refused("aggregate_id", "E' \\t\\n'", "outbox_aggregate_id_not_blank"),
            new Refused("aggregate_id", "U&'\\3000\\2003'", "outbox_aggregate_id_not_blank"),
            new Refused("headers", "'[]'::jsonb", "outbox_headers_object"),
            new Refused("headers", "'\"text\"'::jsonb", "outbox_headers_object"),
            new Refused("headers", "'1'::jsonb", "outbox_headers_object"),
            new Refused("payload", "NULL", "outbox_payload_not_null"),
            new Refused("payload", "to_jsonb(repeat('x', 1000000))", "outbox_record_size"),
            new Refused("aggregate_id", "repeat('x', 1000000)", "outbox_record_size"),
            new Refused("headers", "jsonb_build_object('h', repeat('x', 1000000))", "outbox_record_size"));

    private static final String SECRET = "s3cret";

    private static final List<String> ACCEPTED = List.of(
            Events.insertWith("aggregate_type", "'a.B-c_9'"),
            Events.insertWith("aggregate_type", "'...'"),
            Events.insertWith("aggregate_type", "repeat('a', 236)"),
            Events.insertWith("aggregate_id", "' 7 '"),
            Events.insertWith("aggregate_id", "U&'\\00a0'"),
            Events.insertWith("event_type", "NULL"),
            Events.insertWith("headers", "'{}'::jsonb"),
            Events.insertWith("headers", "'null'::jsonb"),
            Events.insertWith("payload", "'null'::jsonb"),
            Events.insertWith("payload", "'[1, 2]'::jsonb"),
            Events.insertWith("payload", "to_jsonb(repeat('x', 999900))"));

    @RegisterExtension
    final Databases databases = new Databases();

    private final PostgresVersion version;

    private TestDatabase database;

    @SuppressWarnings("NullAway.Init") // before each test
    OutboxChecksIT(PostgresVersion version) {
        this.version = version;
    }

    @BeforeEach
    void applyScripts() throws SQLException {
        database = databases.create(version);
        database.apply();
    }

    @Test
    void badRowsAreRefusedByTheNameOfTheConstraintWithWhatToDo() {
        for (Refused refused : REFUSED) {
            ServerErrorMessage error = refusal(Events.insertWith(refused.column(), refused.expression()));

            assertThat(error.getMessage())
                    .as(refused.toString())
                    .startsWith("event refused by \"" + refused.constraint() + "\": ");
            assertThat(error.getConstraint()).isEqualTo(refused.constraint());
            assertThat(error.getSQLState()).isEqualTo(PSQLState.CHECK_VIOLATION.getState());
            assertThat(error.getTable()).isEqualTo("outbox");
            assertThat(error.getDetail()).as(refused.toString()).isNotBlank();
            assertThat(error.getHint()).as(refused.toString()).isNotBlank();
        }
    }

    /** Numbers are short as they are stored, and shorter when they are compressed; as text they have all their digits. */
    @Test
    void whatIsStoredCompressedCountsAsItsText() throws SQLException {
        database.run(
                "CREATE TABLE stage (payload jsonb)",
                "INSERT INTO stage SELECT jsonb_agg(1e131071::numeric) FROM generate_series(1, 400)");
        assertThat(database.query("SELECT 'small' FROM stage WHERE pg_column_size(payload) < 1000"))
                .containsExactly("small");

        assertThat(refusal(Events.insertWith("payload", "(SELECT payload FROM stage)"))
                        .getConstraint())
                .isEqualTo("outbox_record_size");
    }

    @Test
    void aMissingTypeOrIdIsRefusedByTheNameOfTheColumn() {
        for (String column : List.of("aggregate_type", "aggregate_id")) {
            assertThat(refusal(Events.insertWith(column, "NULL")).getColumn()).isEqualTo(column);
        }
    }

    @Test
    void aRefusalTellsNothingOfPayloadAndHeaders() {
        ServerErrorMessage error =
                refusal("INSERT INTO outbox (id, aggregate_type, aggregate_id, payload, headers) VALUES"
                        + " (gen_random_uuid(), 'a b', '7', '\"" + SECRET + "\"', '{\"token\": \"" + SECRET + "\"}')");

        assertThat(error.toString()).contains("\"a b\"").doesNotContain(SECRET);
    }

    /** The router adds up key, value, names and values of headers, and ten bytes for each header. */
    @Test
    void theSizeIsNeverLessThanWhatTheRouterCounts() throws SQLException {
        database.apply(OutboxSql.inFolder(TestDatabase.SCRIPTS).with("outbox.max_record_bytes", "1000"));
        int key = 1;
        int payload = 1003;
        int idAndType = bytes("id") + 36 + 10 + bytes("eventType") + bytes("Größe") + 10;
        for (int headers : List.of(0, 1, 30, 300)) {
            for (String value : List.of("1", "", "väl", "x".repeat(200))) {
                String json = IntStream.range(0, headers)
                        .mapToObj(n -> "\"h" + n + "\":" + (value.equals("1") ? value : "\"" + value + "\""))
                        .collect(Collectors.joining(",", "{", "}"));
                int byTheRouter = key
                        + payload
                        + idAndType
                        + IntStream.range(0, headers)
                                .map(n -> bytes("h" + n) + bytes(value) + 10)
                                .sum();

                String detail = String.valueOf(refusal("INSERT INTO outbox VALUES (gen_random_uuid(), 'Order', '7',"
                                + " 'Größe', to_jsonb(repeat('x', 1001)), '" + json + "', now())")
                        .getDetail());

                Matcher size = Pattern.compile("take (\\d+) bytes").matcher(detail);
                assertThat(size.find()).as(detail).isTrue();
                assertThat(Integer.parseInt(size.group(1))).isBetween(byTheRouter, byTheRouter + 2 * bytes(json));
            }
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private ServerErrorMessage refusal(String insert) {
        PSQLException refusal = catchThrowableOfType(PSQLException.class, () -> database.run(insert));
        return Objects.requireNonNull(refusal.getServerErrorMessage(), insert);
    }

    @Test
    void goodRowsAreTakenAndDecoded() throws SQLException {
        database.run(ACCEPTED.toArray(String[]::new));

        assertThat(database.insertsInSlot()).isEqualTo(ACCEPTED.size());
    }

    /** The router asks {@link String#isBlank}; the check must not take a row that it refuses, nor the other way round. */
    @Test
    void blankMeansTheSameToTheCheckAndToJava() throws SQLException {
        List<String> blankToJava = IntStream.rangeClosed(1, 0xFFFF)
                .filter(c -> !Character.isSurrogate((char) c))
                .filter(c -> Character.toString(c).isBlank())
                .mapToObj(Integer::toString)
                .toList();
        String pattern = database.one("SELECT substring(prosrc FROM 'aggregate_id COLLATE \"C\"\\s+!~ ''([^'']+)''')"
                + " FROM pg_proc WHERE proname = 'outbox_event_is_legal'");

        List<String> blankToTheCheck = database.query("SELECT c FROM generate_series(1, 65535) c"
                + " WHERE c NOT BETWEEN 55296 AND 57343 AND chr(c) COLLATE \"C\" !~ '" + pattern + "' ORDER BY c");

        assertThat(blankToTheCheck).isEqualTo(blankToJava);
    }
}
