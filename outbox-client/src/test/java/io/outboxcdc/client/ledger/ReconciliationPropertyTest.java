package io.outboxcdc.client.ledger;

import io.outboxcdc.client.ledger.Finding.Kind;
import io.outboxcdc.client.ledger.NaiveJudge.Row;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a verdict that depends on how much fits into memory, or on the order in which things were read. */
class ReconciliationPropertyTest {

    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));

    /** Few ids, aggregates and lanes, so that they meet. */
    private static final List<UUID> IDS =
            IntStream.range(0, 12).mapToObj(i -> new UUID(i - 6, -i)).toList();

    @Property
    void findingsAreThoseOfTheNaiveJudge(
            @ForAll("rows") List<Row> rows,
            @ForAll("records") List<Sighting> records,
            @ForAll("settlements") Settlement settlement,
            @ForAll @IntRange(min = 1, max = 40) int inMemory) {
        Map<Kind, Map<UUID, Long>> found = new LinkedHashMap<>();
        Tally tally;
        try (Reconciliation reconciliation = new Reconciliation(FOLDER, inMemory)) {
            rows.forEach(row -> reconciliation.committed(row.id(), row.aggregate(), row.createdAt(), row.sequence()));
            records.forEach(reconciliation::seen);
            tally = reconciliation.judge(
                    settlement,
                    finding -> found.computeIfAbsent(finding.kind(), kind -> new LinkedHashMap<>())
                            .merge(finding.id(), finding.times(), Long::sum));
        }

        assertThat(found).isEqualTo(NaiveJudge.findings(rows, records, settlement));
        Map<Kind, Long> sums = new EnumMap<>(Kind.class);
        found.forEach((kind, ids) ->
                sums.put(kind, ids.values().stream().mapToLong(Long::longValue).sum()));
        assertThat(tally.found()).isEqualTo(sums);
        assertThat(tally.committed()).isEqualTo(rows.size());
    }

    @Property
    void judgingInPartsIsJudgingTheWhole(
            @ForAll("rows") List<Row> rows,
            @ForAll("records") List<Sighting> records,
            @ForAll @IntRange(min = 1, max = 40) int inMemory) {
        try (Reconciliation whole = new Reconciliation(FOLDER, inMemory);
                Reconciliation parts = new Reconciliation(FOLDER, inMemory)) {
            for (Row row : rows) {
                whole.committed(row.id(), row.aggregate(), row.createdAt(), row.sequence());
                parts.committed(row.id(), row.aggregate(), row.createdAt(), row.sequence());
            }
            records.forEach(whole::seen);
            records.subList(0, records.size() / 2).forEach(parts::seen);
            parts.judge(Settlement.FINAL, finding -> {});
            records.subList(records.size() / 2, records.size()).forEach(parts::seen);

            assertThat(parts.judge(Settlement.FINAL, finding -> {}))
                    .isEqualTo(whole.judge(Settlement.FINAL, finding -> {}));
        }
    }

    @Property
    void theLiveLedgerGivesTheSameVerdict(@ForAll("rows") List<Row> rows, @ForAll("records") List<Sighting> records) {
        Map<UUID, Row> unique = new LinkedHashMap<>();
        rows.stream().filter(row -> row.sequence() != null).forEach(row -> unique.put(row.id(), row));
        List<Sighting> inOneLane = IntStream.range(0, records.size())
                .mapToObj(i -> new Sighting(
                        records.get(i).id(), new Position(0, i), records.get(i).deadLetter(), false))
                .toList();
        Ledger ledger = new Ledger();
        unique.values()
                .forEach(row -> ledger.committed(
                        row.id(), row.aggregate(), row.sequence().major()));
        for (Sighting record : inOneLane) {
            if (record.deadLetter()) {
                ledger.seenAsDeadLetter(record.id());
            } else {
                ledger.seen(record.id());
            }
        }

        Tally tally;
        try (Reconciliation reconciliation = new Reconciliation(FOLDER, 5)) {
            unique.values()
                    .forEach(row -> reconciliation.committed(
                            row.id(),
                            row.aggregate(),
                            0,
                            Sequence.of(row.sequence().major())));
            inOneLane.forEach(reconciliation::seen);
            tally = reconciliation.judge(Settlement.FINAL, finding -> {});
        }
        assertThat(ledger.verdict())
                .isEqualTo(new Verdict(
                        tally.committed(),
                        tally.count(Kind.LOST),
                        tally.count(Kind.DUPLICATED) + tally.sentAgain(),
                        tally.count(Kind.OUT_OF_ORDER),
                        tally.count(Kind.DEAD_LETTERED),
                        0));
        assertThat(ledger.outstanding()).isEqualTo(tally.count(Kind.LOST));
    }

    @Provide
    Arbitrary<List<Row>> rows() {
        Arbitrary<Aggregate> aggregates =
                Arbitraries.of(new Aggregate("a", "b1"), new Aggregate("ab", "1"), new Aggregate("order", "1"));
        Arbitrary<Sequence> sequences = Combinators.combine(
                        Arbitraries.longs().between(-2, 6), Arbitraries.longs().between(0, 1))
                .as(Sequence::new)
                .injectNull(0.1);
        return Combinators.combine(
                        Arbitraries.of(IDS), aggregates, Arbitraries.longs().between(0, 9), sequences)
                .as(Row::new)
                .list()
                .ofMaxSize(25);
    }

    @Provide
    Arbitrary<List<Sighting>> records() {
        Arbitrary<Boolean> rarely = Arbitraries.frequency(Tuple.of(5, false), Tuple.of(1, true));
        return Combinators.combine(Arbitraries.of(IDS), Arbitraries.integers().between(0, 2), rarely, rarely)
                .as((id, lane, deadLetter, later) -> new Sighting(id, new Position(lane, 0), deadLetter, later))
                .list()
                .ofMaxSize(35)
                .map(ReconciliationPropertyTest::withOffsets)
                .flatMap(list -> Arbitraries.shuffle(list));
    }

    @Provide
    Arbitrary<Settlement> settlements() {
        Arbitrary<Long> bounds =
                Arbitraries.oneOf(Arbitraries.longs().between(0, 9), Arbitraries.of(Long.MIN_VALUE, Long.MAX_VALUE));
        return Combinators.combine(bounds, bounds, Arbitraries.of(true, false)).as(Settlement::new);
    }

    /** No two records lie at one offset, and dead letters lie in lanes of their own. */
    private static List<Sighting> withOffsets(List<Sighting> records) {
        return IntStream.range(0, records.size())
                .mapToObj(i -> {
                    Sighting record = records.get(i);
                    int lane = record.deadLetter() ? 9 : record.position().lane();
                    return new Sighting(record.id(), new Position(lane, i), record.deadLetter(), record.later());
                })
                .toList();
    }
}
