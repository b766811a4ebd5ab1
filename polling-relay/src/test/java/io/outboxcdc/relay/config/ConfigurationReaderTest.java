package io.outboxcdc.relay.config;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConfigurationReaderTest {

    private static final Map<String, String> LEAST =
            Map.of("jdbc.url", "jdbc:postgresql://db/shop", "kafka.bootstrap.servers", "kafka:9092");

    @Test
    void aDatabaseAndABrokerAreEnough() throws ConfigurationException {
        Configuration configuration = read(Map.of());

        assertThat(configuration.database().user()).isEqualTo("outbox_relay");
        assertThat(configuration.columns())
                .containsExactly("id", "aggregate_type", "aggregate_id", "event_type", "payload", "headers");
        assertThat(configuration.router()).containsEntry("table.field.event.headers", "headers");
        assertThat(configuration.topics().deadLetter()).isEqualTo("outbox.dead-letter");
        assertThat(configuration.lease()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void everythingCanBeSet() throws ConfigurationException {
        Configuration configuration = read(Map.of(
                "jdbc.password", "${env:PASSWORD}",
                "columns", "id, aggregate_type,aggregate_id,event_type,payload,headers,created_at",
                "kafka.security.protocol", "SSL",
                "router.dead.letter.topic", "graveyard",
                "router.on.invalid.event", "fail",
                "batch.max.rows", "7",
                "topics.create", "false"));

        assertThat(configuration.database().password()).isEqualTo("secret");
        assertThat(configuration.columns()).hasSize(7).contains("aggregate_type");
        assertThat(configuration.kafka().given()).containsEntry("security.protocol", "SSL");
        assertThat(configuration.topics()).isEqualTo(new Configuration.Topics(false, "graveyard", "outbox.relay"));
        assertThat(configuration.batches().mostRows()).isEqualTo(7);
        assertThat(configuration.toString()).doesNotContain("secret");
        assertThat(configuration.database().toString()).doesNotContain("secret");
    }

    @Test
    void allProblemsAreSaidAtOnce() {
        assertThatThrownBy(() -> read(Map.of(
                        "jdbc.url", "jdbc:mysql://db?password=hush",
                        "batch.max.row", "1",
                        "batch.max.rows", "many",
                        "lease.duration.ms", "1",
                        "jdbc.password", "${env:NOT_SET}",
                        "kafka.transactional.id", "mine",
                        "kafka.acks", "1",
                        "router.tabel.field.event.key", "x")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("jdbc.url has to begin with jdbc:postgresql:")
                .hasMessageContaining("jdbc.url has a password in it")
                .hasMessageContaining("batch.max.row is not an option; did you mean batch.max.rows?")
                .hasMessageContaining("many")
                .hasMessageContaining("lease.duration.ms")
                .hasMessageContaining("names the environment variable NOT_SET, which is not set")
                .hasMessageContaining("kafka.transactional.id is the relay's own matter")
                .hasMessageContaining("kafka.acks is the relay's own matter")
                .hasMessageContaining("table.field.event.key")
                .hasMessageNotContaining("hush");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> ConfigurationReader.read("f", Map.of(), Map.of()))
                .hasMessageContaining("jdbc.url")
                .hasMessageContaining("kafka.bootstrap.servers is missing");
    }

    private static Configuration read(Map<String, String> more) throws ConfigurationException {
        Map<String, String> all = new HashMap<>(LEAST);
        all.putAll(more);
        return ConfigurationReader.read("relay.properties", all, Map.of("PASSWORD", "secret"));
    }
}
