package io.outboxcdc.relay.core;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a takeover that marks events which were never published, or publishes some twice. */
class BatchNotePropertyTest {

    @Provide
    Arbitrary<List<Long>> seqs() {
        return Arbitraries.longs()
                .between(1, Long.MAX_VALUE)
                .list()
                .uniqueElements()
                .ofMinSize(1)
                .ofMaxSize(600)
                .map(list -> list.stream().sorted().toList());
    }

    @Property
    void whatWasStoredIsReadBack(@ForAll("seqs") List<Long> seqs, @ForAll long digest) {
        BatchNote note = new BatchNote(seqs.get(0), seqs, digest);

        assertThat(BatchNote.parse(note.text())).contains(note);
    }

    @Property
    void whatFitsIsNotTooLongForABroker(@ForAll("seqs") List<Long> seqs) {
        List<EventRow> rows = rows(seqs);

        int fitting = BatchNote.fitting(rows);

        assertThat(fitting).isPositive();
        assertThat(BatchNote.of(Long.MAX_VALUE, rows.subList(0, fitting)).text())
                .hasSizeLessThanOrEqualTo(BatchNote.MOST_CHARACTERS);
    }

    @Example
    void denseBatchesOfTheLargestSizeFit() {
        List<EventRow> rows = rows(LongStream.range(1, 2_001)
                .mapToObj(n -> 1_000_000_000L + n * 64)
                .toList());

        assertThat(BatchNote.fitting(rows)).isEqualTo(2_000);
    }

    @Example
    void otherEventsOrAnotherOrderHaveAnotherDigest() {
        assertThat(BatchNote.digest(List.of("a", "b")))
                .isNotEqualTo(BatchNote.digest(List.of("b", "a")))
                .isNotEqualTo(BatchNote.digest(List.of("a", "c")))
                .isEqualTo(BatchNote.digest(List.of("a", "b")));
    }

    @Property
    void whatIsNotOursIsNoNote(@ForAll String text) {
        assertThat(BatchNote.parse(text)).isEmpty();
    }

    private static List<EventRow> rows(List<Long> seqs) {
        return seqs.stream()
                .map(seq ->
                        new EventRow(seq, Long.toString(seq), new AggregateKey("t", "a"), 0, Instant.EPOCH, List.of()))
                .toList();
    }
}
