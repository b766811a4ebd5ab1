package io.outboxcdc.client.ledger;

import io.outboxcdc.client.ledger.Finding.Kind;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** The rules once more, as a person would write them down: every event against every other. */
final class NaiveJudge {

    record Row(UUID id, Aggregate aggregate, long createdAt, Sequence sequence) {}

    /** How often each kind was found for each event. */
    static Map<Kind, Map<UUID, Long>> findings(List<Row> rows, List<Sighting> records, Settlement settlement) {
        Map<Kind, Map<UUID, Long>> found = new LinkedHashMap<>();
        Set<UUID> ids = new HashSet<>();
        rows.forEach(row -> ids.add(row.id()));
        for (UUID id : ids) {
            List<Row> own = rows.stream().filter(row -> row.id().equals(id)).toList();
            long events = count(records, id, false);
            long deadLetters = count(records, id, true);
            long missing = own.size() - events - deadLetters;
            if (missing > 0) {
                long created = own.stream().mapToLong(Row::createdAt).min().orElseThrow();
                put(found, unseen(created, settlement), id, missing);
            }
            put(found, Kind.DUPLICATED, id, Math.max(0, events - own.size()) + Math.max(0, deadLetters - own.size()));
            put(found, Kind.DEAD_LETTERED, id, deadLetters > 0 && events == 0 ? 1 : 0);
        }
        for (Sighting record : records) {
            if (settlement.everyRow() && !ids.contains(record.id()) && !record.later()) {
                found.computeIfAbsent(Kind.UNKNOWN, kind -> new LinkedHashMap<>())
                        .put(record.id(), 1L);
            }
        }
        order(rows, records, found);
        return found;
    }

    private static void order(List<Row> rows, List<Sighting> records, Map<Kind, Map<UUID, Long>> found) {
        List<Sighting> firsts = new ArrayList<>();
        records.stream()
                .sorted(Comparator.comparing(Sighting::position))
                .filter(record -> firsts.stream()
                        .noneMatch(first -> first.id().equals(record.id())
                                && first.position().lane() == record.position().lane()))
                .filter(record -> count(records, record.id(), true) == 0)
                .filter(record -> rows.stream()
                                .filter(row -> row.id().equals(record.id()))
                                .count()
                        == 1)
                .forEach(firsts::add);
        for (Sighting late : firsts) {
            Row row = rowOf(rows, late);
            boolean overtaken = row.sequence() != null
                    && firsts.stream()
                            .filter(other ->
                                    other.position().lane() == late.position().lane()
                                            && other.position().offset()
                                                    < late.position().offset())
                            .map(other -> rowOf(rows, other))
                            .filter(other -> other.aggregate().equals(row.aggregate()))
                            .map(Row::sequence)
                            .filter(Objects::nonNull)
                            .anyMatch(sequence -> sequence.compareTo(row.sequence()) > 0);
            if (overtaken) {
                found.computeIfAbsent(Kind.OUT_OF_ORDER, kind -> new LinkedHashMap<>())
                        .merge(late.id(), 1L, Long::sum);
            }
        }
    }

    private static Row rowOf(List<Row> rows, Sighting record) {
        return rows.stream()
                .filter(row -> row.id().equals(record.id()))
                .findFirst()
                .orElseThrow();
    }

    private static Kind unseen(long created, Settlement settlement) {
        if (created > settlement.settledUntilMicros()) {
            return Kind.ON_THE_WAY;
        }
        return created <= settlement.retainedFromMicros() ? Kind.NOT_RETAINED : Kind.LOST;
    }

    private static long count(List<Sighting> records, UUID id, boolean deadLetter) {
        return records.stream()
                .filter(record -> record.id().equals(id) && record.deadLetter() == deadLetter)
                .count();
    }

    private static void put(Map<Kind, Map<UUID, Long>> found, Kind kind, UUID id, long times) {
        if (times > 0) {
            found.computeIfAbsent(kind, key -> new LinkedHashMap<>()).merge(id, times, Long::sum);
        }
    }

    private NaiveJudge() {}
}
