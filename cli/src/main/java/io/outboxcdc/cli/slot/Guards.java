package io.outboxcdc.cli.slot;

import io.outboxcdc.cli.slot.Situation.Reader;
import io.outboxcdc.cli.slot.Situation.Slot;
import io.outboxcdc.monitor.core.Lsn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a deed is refused. All reasons at once; each says what was found and what to do. */
public final class Guards {

    private final String name;
    private final Situation situation;
    private final List<String> problems = new ArrayList<>();

    private Guards(String name, Situation situation) {
        this.name = name;
        this.situation = situation;
    }

    /** The problems of a deed to the slot {@code name}; none when it may be done. */
    public static List<String> problems(String name, Situation situation, Deed deed) {
        Guards guards = new Guards(name, situation);
        guards.server();
        situation.reader().ifPresent(guards::reader);
        guards.slot(deed);
        if (deed instanceof Deed.Advance advance) {
            guards.advance(advance.to());
        }
        if (deed instanceof Deed.Recreate) {
            guards.recreate();
        }
        return List.copyOf(guards.problems);
    }

    private void server() {
        if (situation.server().standby()) {
            problems.add("the server is a standby, and its slots are copies. Give the primary's address.");
        }
    }

    private void reader(Reader reader) {
        if (!reader.slot().equals(name)) {
            problems.add("connector " + reader.name() + " reads slot " + reader.slot() + ", not " + name
                    + ". Give the connector of this slot.");
        }
        if (!reader.state().equals("STOPPED") || reader.tasks() > 0) {
            problems.add("connector " + reader.name() + " is " + reader.state() + " with " + reader.tasks()
                    + " task(s). Stop it: PUT /connectors/" + reader.name() + "/stop");
        }
    }

    private void slot(Deed deed) {
        Optional<Slot> found = situation.slot();
        if (found.isEmpty()) {
            if (!(deed instanceof Deed.Recreate)) {
                problems.add(
                        "there is no slot " + name + " on this server. SELECT * FROM pg_replication_slots shows all.");
            }
            return;
        }
        Slot slot = found.get();
        if (!slot.logical()) {
            problems.add("slot " + name + " is a physical one: it belongs to a standby, not to a connector.");
            return;
        }
        if (!slot.database().equals(situation.server().database())) {
            problems.add("slot " + name + " belongs to database " + slot.database() + ", not to "
                    + situation.server().database() + ". Connect to that one.");
        }
        slot.reader()
                .ifPresent(pid -> problems.add("slot " + name + " is in use by process " + pid
                        + ". Stop its reader; a dead one is let go after wal_sender_timeout, or by SELECT"
                        + " pg_terminate_backend(" + pid + ")."));
        if (slot.copy()) {
            problems.add("slot " + name + " is a copy of the primary's. Do it there.");
        }
    }

    private void advance(Lsn to) {
        Optional<Slot> slot = situation.slot();
        if (slot.isEmpty()) {
            return;
        }
        if (slot.get().lost()) {
            problems.add("slot " + name + " is lost and cannot be moved. Make it anew: outboxctl slot recreate");
            return;
        }
        Lsn confirmed = slot.get().confirmed().orElse(to);
        if (!to.isAfter(confirmed)) {
            problems.add(
                    "slot " + name + " has confirmed " + confirmed + " already, and cannot go back to " + to + ".");
        }
        if (to.isAfter(situation.server().end())) {
            problems.add(
                    "the WAL ends at " + situation.server().end() + ", before " + to + ". Give a position up to it.");
        }
        situation.delivered().filter(to::isAfter).ifPresent(offset -> forget(offset, "beyond which the slot would go"));
    }

    private void recreate() {
        situation.delivered().ifPresent(offset -> forget(offset, "which means nothing to a new slot"));
        if (!situation.server().mayRegister()) {
            problems.add("this login may not change public.outbox_slot, where the slot has to be taken out. Log in as a"
                    + " member of outbox_owner that has REPLICATION, or as a superuser.");
        }
    }

    /** A connector that finds its slot beyond its offset fails, or skips in silence: both were seen. */
    private void forget(Lsn offset, String why) {
        String connector = situation.reader().map(Reader::name).orElse("");
        problems.add("Kafka Connect stores offset " + offset + " for connector " + connector + ", " + why
                + ": at its next start the connector would fail, or skip events in silence. Delete it while the connector is"
                + " stopped: DELETE /connectors/" + connector + "/offsets");
    }
}
