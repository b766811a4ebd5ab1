package io.outboxcdc.monitor;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.outboxcdc.monitor.act.RestartPlan;
import io.outboxcdc.monitor.alert.AlertEngine;
import io.outboxcdc.monitor.core.TimeSeries;
import io.outboxcdc.monitor.sample.Sampler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must survive a restart, in one JSON file that is replaced as a whole. */
final class StateFile {

    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);
    private static final int FORM = 1;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .addMixIn(TimeSeries.Point.class, AsArray.class)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final Path file;

    StateFile(Path file) {
        this.file = file;
    }

    /**
     * The content.
     *
     * @param told the alerts that each receiver knows of
     */
    record State(
            int form,
            Sampler.Saved samples,
            List<AlertEngine.Track> alerts,
            Map<String, Set<String>> told,
            Map<String, RestartPlan> restarts) {

        State(
                Sampler.Saved samples,
                List<AlertEngine.Track> alerts,
                Map<String, Set<String>> told,
                Map<String, RestartPlan> restarts) {
            this(FORM, samples, alerts, told, restarts);
        }
    }

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    private interface AsArray {}

    /** What a former run left; empty without one, or when it cannot be understood. */
    Optional<State> read() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            State state = JSON.readValue(file.toFile(), State.class);
            return state.form() == FORM ? Optional.of(state) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("The state file {} cannot be read, and the monitor begins anew: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    void write(State state) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        JSON.writeValue(next.toFile(), state);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
