package io.outboxcdc.monitor.sample;

import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.Forecast;
import io.outboxcdc.monitor.core.Observation;
import io.outboxcdc.monitor.core.SlotFacts;
import io.outboxcdc.monitor.core.StateFinding;
import io.outboxcdc.monitor.core.TimeLag;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One expected slot after a sample.
 *
 * @param since when the state began
 * @param observation what the state was decided from
 * @param measures sizes and lags; those of the last sample that could be read
 */
public record SlotStatus(StateFinding finding, Instant since, Observation observation, Measures measures) {

    /**
     * What is measured of a slot.
     *
     * @param facts the slot itself; empty when it is missing or was never read
     * @param offsetGapBytes how far the slot is beyond the stored offset
     * @param offsetAheadBytes how far the stored offset is beyond the server's WAL
     * @param growth bytes a second that the held WAL grows; empty while that is not known
     * @param spilledRecently bytes that the decoder has spilled in the last ten minutes
     */
    public record Measures(
            Optional<SlotFacts> facts,
            long retainedBytes,
            long unconfirmedBytes,
            long heldBeforeConfirmBytes,
            TimeLag lag,
            long offsetGapBytes,
            long offsetAheadBytes,
            OptionalDouble growth,
            Forecast forecast,
            long spilledRecently) {

        static final Measures NONE = new Measures(
                Optional.empty(), 0, 0, 0, new TimeLag(0, false), 0, 0, OptionalDouble.empty(), Forecast.NONE, 0);
    }

    /** The slot that this is about. */
    public ExpectedSlot expected() {
        return observation.expected();
    }
}
