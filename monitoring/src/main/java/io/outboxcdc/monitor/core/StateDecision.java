package io.outboxcdc.monitor.core;

import io.outboxcdc.monitor.core.ServerFacts.OpenWriter;
import io.outboxcdc.monitor.core.ServerFacts.StandbySlot;
import io.outboxcdc.monitor.core.SlotFacts.Walsender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Which state a slot is in. One question after the other, in the order of {@link SlotState}; the first that is answered
 * with yes decides, since it makes the later ones meaningless.
 */
public final class StateDecision {

    /** PostgreSQL's default, for servers that have the timeout switched off. */
    private static final double DEFAULT_SENDER_TIMEOUT_SECONDS = 60;

    private static final double MILLIS = 1000;

    private final Thresholds thresholds;
    private final List<BiFunction<Observation, Found, Optional<StateFinding>>> questions = new ArrayList<>();

    /** A slot that is there, and the server that has it. */
    private record Found(ServerFacts server, SlotFacts slot) {}

    /** Decides with these thresholds. */
    public StateDecision(Thresholds thresholds) {
        this.thresholds = thresholds;
        questions.add((sample, found) -> isLost(found));
        questions.add((sample, found) -> isOffsetAhead(sample));
        questions.add((sample, found) -> hasOffsetGap(sample, found));
        questions.add((sample, found) -> isPublicationBroken(sample));
        questions.add((sample, found) -> isUnreserved(found));
        questions.add(this::isBlockedByStandby);
        questions.add((sample, found) -> isInactive(sample, found));
        questions.add((sample, found) -> isHung(found));
        questions.add(this::isStalled);
        questions.add(this::isUnderBackpressure);
        questions.add(this::isHeldByTransaction);
        questions.add((sample, found) -> isCatchingUp(sample));
    }

    /** The state of one sample. */
    public StateFinding of(Observation sample) {
        if (sample.server() instanceof Reading.Unknown<ServerFacts> unknown) {
            return new StateFinding(
                    SlotState.UNKNOWN,
                    "the database cannot be read: " + unknown.why(),
                    "Look whether the server runs and takes the monitor's connection.");
        }
        ServerFacts server = sample.server().value().orElseThrow();
        Optional<SlotFacts> slot = sample.slot();
        if (slot.isEmpty()) {
            return new StateFinding(
                    SlotState.MISSING,
                    "there is no logical slot " + sample.expected().slot() + " in this database"
                            + (server.inRecovery() ? ", which is a standby" : ""),
                    "Keep the connector stopped, or it makes a slot at the present position and what lies before is"
                            + " never delivered. Then send again what the outbox still has.");
        }
        Found found = new Found(server, slot.get());
        return questions.stream()
                .map(question -> question.apply(sample, found))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(() -> new StateFinding(SlotState.OK, "the reader is up to date", ""));
    }

    private static Optional<StateFinding> isLost(Found found) {
        if (!found.slot.isLost()) {
            return Optional.empty();
        }
        String why = found.slot
                .invalidationReason()
                .map(reason -> "the server has invalidated it: " + reason)
                .orElse(
                        // 16 calls every lost slot conflicting; only a standby can conflict with recovery.
                        found.slot.conflicting() && found.server.inRecovery()
                                ? "it conflicts with recovery"
                                : "the server has dropped WAL that it needs (max_slot_wal_keep_size)");
        return finding(
                SlotState.LOST,
                "the slot can never be read again: " + why,
                "Stop the connector, make slot and connector anew, and send again what the outbox still has.");
    }

    private static Optional<StateFinding> isOffsetAhead(Observation sample) {
        String next =
                "Do not restart the connector: it would skip everything up to that position. Find out whether this"
                        + " is the right server, restored or failed over.";
        if (sample.serverChange().isPresent()) {
            return finding(SlotState.OFFSET_AHEAD, sample.serverChange().get(), next);
        }
        Optional<Lsn> offset = sample.storedOffset().flatMap(StoredOffset::farthest);
        Optional<Lsn> head = sample.headAfterOffset();
        if (offset.isEmpty() || head.isEmpty() || !offset.get().isAfter(head.get())) {
            return Optional.empty();
        }
        return finding(
                SlotState.OFFSET_AHEAD,
                "connector " + ConnectorWords.name(sample) + " has stored position " + offset.get()
                        + ", and the server's WAL ends at " + head.get(),
                next);
    }

    private static Optional<StateFinding> hasOffsetGap(Observation sample, Found found) {
        Optional<Gap> gap = Gap.of(sample, found.slot);
        return gap.flatMap(open -> finding(
                SlotState.OFFSET_GAP,
                "the slot stands at " + open.slot() + ", beyond position " + open.offset() + " that connector "
                        + ConnectorWords.name(sample) + " has stored: " + Words.bytes(open.bytes())
                        + " of WAL will never be delivered",
                "Do not restart the connector. Send again the rows of the outbox that were committed in between."));
    }

    private static Optional<StateFinding> isPublicationBroken(Observation sample) {
        String next = "Apply 30_publication.sql. Never drop a publication that a slot reads.";
        Optional<String> problem = sample.publication().flatMap(PublicationFacts::problem);
        if (problem.isPresent()) {
            return finding(SlotState.PUBLICATION_BROKEN, problem.get(), next);
        }
        return sample.memory()
                .publicationMadeAnew()
                .flatMap(position -> finding(
                        SlotState.PUBLICATION_BROKEN,
                        "publication " + sample.expected().publication()
                                + " was dropped and made anew, and the slot has not" + " passed position " + position
                                + " yet: rows from before are stuck or skipped",
                        "Compare the outbox with the topics, and send again what is missing."));
    }

    private static Optional<StateFinding> isUnreserved(Found found) {
        if (!found.slot.walStatus().equals("unreserved")) {
            return Optional.empty();
        }
        return finding(
                SlotState.UNRESERVED,
                "the slot needs " + Words.bytes(found.slot.retainedBytes(found.server.head()))
                        + " of WAL, more than max_slot_wal_keep_size: the next checkpoint may drop it",
                "Raise max_slot_wal_keep_size now if the disk has room, and get the reader going.");
    }

    private Optional<StateFinding> isBlockedByStandby(Observation sample, Found found) {
        if (!found.slot.failover()) {
            return Optional.empty();
        }
        Optional<StandbySlot> down = found.server.standbySlots().stream()
                .filter(standby -> !standby.active())
                .findFirst();
        if (sample.memory().standbyWaits() < 2 && (down.isEmpty() || !found.slot.active())) {
            return Optional.empty();
        }
        String who = down.map(standby ->
                        "standby slot " + standby.name() + (standby.present() ? " has no reader" : " does not exist"))
                .orElse("a standby has not confirmed yet");
        return finding(
                SlotState.BLOCKED_BY_STANDBY,
                "the server sends nothing that the standbys in synchronized_standby_slots do not have: " + who,
                "Start the standby, or take it out of synchronized_standby_slots.");
    }

    private static Optional<StateFinding> isInactive(Observation sample, Found found) {
        if (found.slot.active()) {
            return Optional.empty();
        }
        return finding(
                SlotState.INACTIVE,
                ConnectorWords.whyInactive(sample),
                "Get the connector running; until then the server keeps all WAL for it.");
    }

    private static Optional<StateFinding> isHung(Found found) {
        double timeout = found.server.settings().walSenderTimeoutMillis() / MILLIS;
        double bound = (timeout > 0 ? timeout : DEFAULT_SENDER_TIMEOUT_SECONDS) / 2;
        Optional<Walsender> sender = found.slot.walsender();
        if (sender.isEmpty() || sender.get().replyAgeSeconds().orElse(0) <= bound) {
            return Optional.empty();
        }
        return finding(
                SlotState.HUNG_CLIENT,
                "the reader at " + sender.get().client() + " is connected and has not answered for "
                        + Words.duration(sender.get().replyAgeSeconds().getAsDouble()),
                timeout > 0
                        ? "The server ends the connection after " + Words.duration(timeout)
                                + ". Look at the worker's process."
                        : "wal_sender_timeout is off, so the server waits for ever. Look at the worker's process.");
    }

    private Optional<StateFinding> isStalled(Observation sample, Found found) {
        long unconfirmed = found.slot.unconfirmedBytes(found.server.flushed());
        Optional<String> paused =
                sample.connectorFacts().map(ConnectorFacts::state).filter(state -> state.equals("PAUSED"));
        if (unconfirmed > 0 && paused.isPresent()) {
            return finding(
                    SlotState.STALLED_DOWNSTREAM,
                    "connector " + ConnectorWords.name(sample) + " is PAUSED: it keeps the slot and delivers nothing",
                    "Resume the connector.");
        }
        if (unconfirmed == 0 || sample.standstill().compareTo(thresholds.stalledAfter()) < 0) {
            return Optional.empty();
        }
        return finding(
                SlotState.STALLED_DOWNSTREAM,
                "the reader answers and has confirmed nothing for "
                        + Words.duration(sample.standstill()) + ", with " + Words.bytes(unconfirmed)
                        + " to confirm: " + ConnectorWords.whyNothingIsConfirmed(sample),
                "Look at Kafka's brokers, then at the connector's log.");
    }

    private Optional<StateFinding> isUnderBackpressure(Observation sample, Found found) {
        long unsent = found.slot.walsender().map(Walsender::unsentBytes).orElse(0L);
        if (sample.memory().writeWaits() < 2 || unsent < thresholds.unsentBytes()) {
            return Optional.empty();
        }
        return finding(
                SlotState.BACKPRESSURE,
                "the reader takes less than is written: " + Words.bytes(unsent) + " are flushed and not sent",
                "If it stays so: look at the worker's processor and at Kafka's produce latency.");
    }

    private Optional<StateFinding> isHeldByTransaction(Observation sample, Found found) {
        Optional<OpenWriter> oldest = found.server.writers().stream().findFirst();
        if (found.slot.heldBeforeConfirmBytes() < thresholds.heldByTransactionBytes()
                || oldest.isEmpty()
                || oldest.get().seconds() < thresholds.writerAge().toSeconds()
                || sample.lag().seconds() > thresholds.catchingUpLag().toSeconds()) {
            return Optional.empty();
        }
        return finding(
                SlotState.HELD_BY_TRANSACTION,
                "the reader is up to date; " + Words.bytes(found.slot.heldBeforeConfirmBytes()) + " of WAL are held by "
                        + oldest.get().describe(),
                "End that transaction. The connector is not the cause.");
    }

    private Optional<StateFinding> isCatchingUp(Observation sample) {
        if (sample.lag().seconds() <= thresholds.catchingUpLag().toSeconds()) {
            return Optional.empty();
        }
        return finding(
                SlotState.CATCHING_UP,
                "the reader is " + (sample.lag().atLeast() ? "at least " : "")
                        + Words.duration(sample.lag().seconds()) + " behind and confirms",
                "");
    }

    private static Optional<StateFinding> finding(SlotState state, String cause, String next) {
        return Optional.of(new StateFinding(state, cause, next));
    }
}
