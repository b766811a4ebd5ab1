package io.outboxcdc.stack.sql;

import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxFacts.Publication;
import io.outboxcdc.stack.sql.OutboxFacts.Role;
import io.outboxcdc.stack.sql.OutboxFacts.Server;
import io.outboxcdc.stack.sql.OutboxFacts.Slot;
import io.outboxcdc.stack.sql.OutboxFacts.Table;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Faults that a test server is hardly brought to, and how findings stand together. The others: OutboxPreflightIT. */
class OutboxPreflightTest {
    private static final OutboxTarget TARGET = OutboxTarget.standard();

    private static final Server SERVER = new Server("shop", "logical", 10, 1, 10, 0);

    private static final Table TABLE = new Table(
            true,
            Map.of(
                    "id", "uuid",
                    "aggregate_type", "text",
                    "aggregate_id", "text",
                    "event_type", "text",
                    "payload", "bytea",
                    "headers", "jsonb",
                    "created_at", "timestamp with time zone"));

    private static final Publication PUBLICATION = new Publication(true, true, Set.of(), true, Optional.empty());

    private static final Slot SLOT =
            new Slot(Optional.of("pgoutput"), Optional.of("shop"), "reserved", Optional.empty());

    private static final Role ROLE = new Role(true, true);

    @Test
    void nothingIsFoundWhereAllIsWell() {
        OutboxFacts facts = facts(SERVER, TABLE, PUBLICATION, SLOT, ROLE);

        assertThat(OutboxPreflight.evaluate(TARGET, facts)).isEmpty();
    }

    @Test
    void anEmptyDatabaseGivesAllFindingsAtOnce() {
        Server full = new Server("shop", "replica", 1, 1, 2, 2);
        OutboxFacts facts =
                new OutboxFacts(full, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(codes(TARGET, facts))
                .containsExactly(
                        Code.WAL_LEVEL_NOT_LOGICAL,
                        Code.NO_FREE_WAL_SENDER,
                        Code.TABLE_MISSING,
                        Code.PUBLICATION_MISSING,
                        Code.SLOT_MISSING,
                        Code.NO_FREE_SLOT,
                        Code.ROLE_MISSING);
    }

    @Test
    void aSlotThatIsThereNeedsNoFreeOne() {
        Server full = new Server("shop", "logical", 1, 1, 10, 0);

        assertThat(codes(TARGET, facts(full, TABLE, PUBLICATION, SLOT, ROLE))).isEmpty();
    }

    @Test
    void aConnectorThatRunsHoldsItsSlotAndItsWalSender() {
        Server full = new Server("shop", "logical", 1, 1, 1, 1);
        Slot held = new Slot(Optional.of("pgoutput"), Optional.of("shop"), "reserved", Optional.of("pid 7"));
        OutboxFacts facts = facts(full, TABLE, PUBLICATION, held, ROLE);

        assertThat(codes(TARGET.whileRunning(), facts)).isEmpty();
        assertThat(OutboxPreflight.evaluate(TARGET, facts)).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo(Code.SLOT_ACTIVE);
            assertThat(finding.found()).contains("pid 7");
        });
    }

    @Test
    void aColumnListMayLackCreatedAtUnlessTheRouterReadsIt() {
        Publication lean = new Publication(
                true,
                true,
                Set.of(),
                true,
                Optional.of(Set.of("id", "aggregate_type", "aggregate_id", "event_type", "payload", "headers")));
        OutboxFacts facts = facts(SERVER, TABLE, lean, SLOT, ROLE);

        assertThat(codes(TARGET, facts)).isEmpty();
        assertThat(OutboxPreflight.evaluate(TARGET.publishingCreatedAt(), facts))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.code()).isEqualTo(Code.PUBLICATION_WITHOUT_COLUMN);
                    assertThat(finding.found()).isEqualTo("its column list lacks created_at");
                    assertThat(finding.remedy()).contains("SET outbox.publish_created_at = 'on'");
                });
    }

    @Test
    void aPhysicalSlotIsFoundWithoutAWordOnItsDatabase() {
        Slot physical = new Slot(Optional.empty(), Optional.empty(), "reserved", Optional.empty());

        assertThat(codes(TARGET, facts(SERVER, TABLE, PUBLICATION, physical, ROLE)))
                .containsExactly(Code.SLOT_PLUGIN);
    }

    @Test
    void aFindingReadsAsOneSentenceWithItsRemedy() {
        OutboxFacts facts = facts(SERVER, TABLE, PUBLICATION, SLOT, new Role(false, true));

        assertThat(OutboxPreflight.evaluate(TARGET, facts))
                .extracting(Finding::toString)
                .containsExactly("ROLE_WITHOUT_LOGIN role outbox_cdc: it may not log in."
                        + " To do: ALTER ROLE outbox_cdc LOGIN;");
    }

    private static OutboxFacts facts(Server server, Table table, Publication publication, Slot slot, Role role) {
        return new OutboxFacts(
                server, Optional.of(table), Optional.of(publication), Optional.of(slot), Optional.of(role));
    }

    private static List<Code> codes(OutboxTarget target, OutboxFacts facts) {
        return OutboxPreflight.evaluate(target, facts).stream()
                .map(Finding::code)
                .toList();
    }
}
