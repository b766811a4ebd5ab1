package io.outboxcdc.monitor.core;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

class PreflightTest {

    private static final Path SHIPPED = Path.of("..", "connector-configs", "outbox-connector.json");

    @Test
    void theShippedConnectorHasNothingToMend() throws IOException {
        assertThat(findings(shipped())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "errors.tolerance, all, rows that fail are dropped",
        "slot.drop.on.stop, true, what is written while it is stopped is lost",
        "heartbeat.action.query, , no heartbeat.action.query",
        "database.initial.statements, , after a restart a quiet outbox holds",
        "database.initial.statements, SET lock_timeout = 1, after a restart a quiet outbox holds",
        "publication.autocreate.mode, , publication.autocreate.mode=all_tables",
        "publication.autocreate.mode, filtered, a publication that is lost is made anew"
    })
    void aConnectorThatIsLessSafeIsToldWhy(String setting, String value, String finding) throws IOException {
        Map<String, String> config = shipped();
        if (value == null) {
            config.remove(setting);
        } else {
            config.put(setting, value);
        }

        assertThat(findings(config)).singleElement().asString().contains("connector outbox ", finding);
    }

    private static List<String> findings(Map<String, String> config) {
        ConnectorFacts connector =
                new ConnectorFacts("outbox", "RUNNING", List.of(), config, Reading.known(Optional.empty()));
        return Preflight.of(SampleBuilder.healthy().server(), List.of(connector)).stream()
                .filter(each -> each.startsWith("connector "))
                .toList();
    }

    private static Map<String, String> shipped() throws IOException {
        return new HashMap<>(
                new ObjectMapper().readValue(SHIPPED.toFile(), new TypeReference<Map<String, String>>() {}));
    }
}
