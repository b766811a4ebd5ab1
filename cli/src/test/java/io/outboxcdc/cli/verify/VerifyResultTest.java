package io.outboxcdc.cli.verify;

import io.outboxcdc.cli.verify.VerifyResult.Verdict;
import io.outboxcdc.client.ledger.Finding.Kind;
import io.outboxcdc.client.ledger.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** What would break: a script that takes a faulty or an unfinished pipeline for a sound one. */
class VerifyResultTest {

    @ParameterizedTest
    @EnumSource
    void eachKindOfFindingHasItsVerdict(Kind kind) {
        Verdict expected = switch (kind) {
            case LOST, DUPLICATED, OUT_OF_ORDER, DEAD_LETTERED -> Verdict.NOT_CLEAN;
            case ON_THE_WAY, NOT_RETAINED -> Verdict.UNDECIDED;
            case UNKNOWN -> Verdict.CLEAN;
        };

        assertThat(result(Map.of(kind, 1L)).verdict(false)).isEqualTo(expected);
    }

    @Test
    void aFaultOutweighsWhatIsUndecidedAndExpectedRepeatsAreNone() {
        assertThat(result(Map.of(Kind.LOST, 1L, Kind.ON_THE_WAY, 1L)).verdict(true))
                .isEqualTo(Verdict.NOT_CLEAN);
        assertThat(result(Map.of(Kind.DUPLICATED, 1L)).verdict(true)).isEqualTo(Verdict.CLEAN);
    }

    private static VerifyResult result(Map<Kind, Long> found) {
        return new VerifyResult(
                new Tally(1, found, 0, 0, 0), 1, 0, Set.of(), SlotState.CONFIRMED, new OrderSource.None(), List.of());
    }
}
