package io.outboxcdc.it.sql;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
            new Refused("aggregate_type", "NULL", "aggregate_type"),
            new Refused("aggregate_id", "''", "outbox_aggregate_id_not_blank"),
            new Refused("aggregate_id", "E' \\t\\n'", "outbox_aggregate_id_not_blank"),
            new Refused("aggregate_id", "U&'\\3000\\2003'", "outbox_aggregate_id_not_blank"),
            new Refused("aggregate_id", "NULL", "aggregate_id"),
            new Refused("headers", "'[]'::jsonb", "outbox_headers_object"),
            new Refused("headers", "'\"text\"'::jsonb", "outbox_headers_object"),
            new Refused("headers", "'1'::jsonb", "outbox_headers_object"),
            new Refused("payload", "NULL", "outbox_payload_not_null"));

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
            Events.insertWith("payload", "'[1, 2]'::jsonb"));

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
    void badRowsAreRefusedByTheNameOfTheConstraint() {
        for (Refused refused : REFUSED) {
            assertThatThrownBy(() -> database.run(Events.insertWith(refused.column(), refused.expression())))
                    .as(refused.toString())
                    .hasMessageContaining("\"" + refused.constraint() + "\"");
        }
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
        String check = database.one("SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint"
                + " WHERE conname = 'outbox_aggregate_id_not_blank'");

        List<String> blankToTheCheck = database.query("SELECT c FROM (SELECT c, chr(c) AS aggregate_id"
                + " FROM generate_series(1, 65535) c WHERE c NOT BETWEEN 55296 AND 57343) s WHERE NOT " + check
                + " ORDER BY c");

        assertThat(blankToTheCheck).isEqualTo(blankToJava);
    }
}
