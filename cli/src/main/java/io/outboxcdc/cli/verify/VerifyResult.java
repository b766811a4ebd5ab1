package io.outboxcdc.cli.verify;

import io.outboxcdc.client.ledger.Finding.Kind;
import io.outboxcdc.client.ledger.Tally;

import java.util.List;
import java.util.Set;

/**
 * What the comparison came to.
 *
 * @param slots what the slots had confirmed
 * @param order what the order was judged by
 * @param notes what a person should know beside the numbers
 */
public record VerifyResult(
        Tally tally,
        long records,
        long recordsWithoutId,
        Set<String> topics,
        SlotState slots,
        OrderSource order,
        List<String> notes) {

    /** The verdict, each with the exit code of the command. */
    public enum Verdict {
        /** Every row arrived as it should. */
        CLEAN(0),
        /** At least one fault was found. */
        NOT_CLEAN(3),
        /** No fault was found, and of some rows nothing can be said yet, or any more. */
        UNDECIDED(4);

        private final int exitCode;

        Verdict(int exitCode) {
            this.exitCode = exitCode;
        }

        /** For the shell. */
        public int exitCode() {
            return exitCode;
        }
    }

    /** A copy of the collections. */
    public VerifyResult {
        topics = Set.copyOf(topics);
        notes = List.copyOf(notes);
    }

    /**
     * The verdict.
     *
     * @param atLeastOnce whether repeats are expected, and no fault
     */
    public Verdict verdict(boolean atLeastOnce) {
        for (Kind kind : Kind.values()) {
            if (kind.isFault() && tally.count(kind) > 0 && !(atLeastOnce && kind == Kind.DUPLICATED)) {
                return Verdict.NOT_CLEAN;
            }
        }
        return tally.count(Kind.ON_THE_WAY) + tally.count(Kind.NOT_RETAINED) > 0 ? Verdict.UNDECIDED : Verdict.CLEAN;
    }
}
