package io.outboxcdc.monitor.core;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static io.outboxcdc.monitor.core.SampleBuilder.MB;
import static io.outboxcdc.monitor.core.SampleBuilder.NOW;
import static io.outboxcdc.monitor.core.SampleBuilder.healthy;
import static org.assertj.core.api.Assertions.assertThat;

class SlotMemoryTest {

    private static final Instant LATER = NOW.plusSeconds(60);

    @Test
    void aConfirmationThatMovesIsProgress() {
        SlotMemory first = remember(SlotMemory.begin(NOW), NOW, healthy().unconfirmed(2 * MB), Optional.empty());

        assertThat(remember(first, LATER, healthy().unconfirmed(2 * MB), Optional.empty())
                        .progressed())
                .isEqualTo(NOW);
        assertThat(remember(first, LATER, healthy().unconfirmed(MB), Optional.empty())
                        .progressed())
                .isEqualTo(LATER);
    }

    @Test
    void aStoredOffsetThatMovesIsProgressInTheMiddleOfALargeTransaction() {
        SlotMemory first = remember(SlotMemory.begin(NOW), NOW, healthy().unconfirmed(2 * MB), offset(1));

        assertThat(remember(first, LATER, healthy().unconfirmed(2 * MB), offset(2))
                        .progressed())
                .isEqualTo(LATER);
    }

    @Test
    void aConfirmationThatFallsBackAfterACrashIsNoStandstill() {
        SlotMemory first = remember(SlotMemory.begin(NOW), NOW, healthy().unconfirmed(MB), Optional.empty());

        assertThat(remember(first, LATER, healthy().unconfirmed(2 * MB), Optional.empty())
                        .progressed())
                .isEqualTo(LATER);
    }

    @Test
    void anotherPublicationOfTheSameNameIsRememberedUntilTheSlotIsPastIt() {
        SlotMemory first = remember(SlotMemory.begin(NOW), NOW, healthy().unconfirmed(MB), Optional.empty());
        PublicationFacts other = new PublicationFacts(
                "outbox", "public.outbox", Optional.of(8L), true, false, true, true, true, true, List.of());
        ServerFacts server = healthy().unconfirmed(MB).server();

        SlotMemory anew = first.after(
                LATER, server, Optional.of(healthy().unconfirmed(MB).slot()), Optional.empty(), Optional.of(other));
        SlotMemory past =
                anew.after(LATER, server, Optional.of(healthy().slot()), Optional.empty(), Optional.of(other));

        assertThat(anew.publicationMadeAnew()).contains(server.head());
        assertThat(past.publicationMadeAnew()).isEmpty();
    }

    @Test
    void aSlotThatVanishesStaysKnown() {
        SlotMemory seen = remember(SlotMemory.begin(NOW), NOW, healthy(), Optional.empty());

        SlotMemory gone = seen.after(LATER, healthy().server(), Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(gone.seen()).isTrue();
        assertThat(gone.lastActive()).contains(NOW);
    }

    private static SlotMemory remember(
            SlotMemory before, Instant now, SampleBuilder sample, Optional<StoredOffset> offset) {
        ServerFacts server = sample.server();
        return before.after(
                now,
                server,
                Optional.of(sample.slot()),
                offset,
                Optional.ofNullable(server.publications().get("outbox")));
    }

    private static Optional<StoredOffset> offset(long position) {
        return Optional.of(new StoredOffset(Optional.empty(), Optional.empty(), Optional.of(new Lsn(position))));
    }
}
