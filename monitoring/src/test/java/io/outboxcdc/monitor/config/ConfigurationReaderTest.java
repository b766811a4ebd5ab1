package io.outboxcdc.monitor.config;

import io.outboxcdc.monitor.core.Thresholds;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConfigurationReaderTest {

    private static final Set<String> RULES = Set.of("OutboxSlotMissing");
    private static final Map<String, String> LEAST = Map.of(
            "databases", "shop",
            "database.shop.jdbc.url", "jdbc:postgresql://db/shop",
            "database.shop.slots", "outbox");

    @Test
    void oneDatabaseWithOneSlotIsEnough() throws ConfigurationException {
        Configuration configuration = read(Map.of());

        assertThat(configuration.sampleInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(configuration.databases()).singleElement().satisfies(database -> {
            assertThat(database.user()).isEqualTo("outbox_monitor");
            assertThat(database.slots()).singleElement().satisfies(slot -> {
                assertThat(slot.publication()).isEqualTo("outbox");
                assertThat(slot.table()).isEqualTo("public.outbox");
                assertThat(slot.connector()).isEmpty();
            });
        });
        assertThat(configuration.actions().stop()).isFalse();
        assertThat(configuration.thresholds()).isEqualTo(Thresholds.USUAL);
    }

    @Test
    void everythingCanBeSet() throws ConfigurationException {
        Configuration configuration = read(Map.of(
                "connect.clusters", "main",
                "connect.main.url", "http://connect:8083",
                "connect.main.kafka.bootstrap.servers", "kafka:9092",
                "database.shop.slot.outbox.connector", "main/orders",
                "database.shop.password", "${env:PASSWORD}",
                "database.shop.wal.volume", "100GB",
                "alert.OutboxSlotMissing.for", "90s",
                "alert.resolve.after", "500ms",
                "action.stop", "on"));

        assertThat(configuration.databases().get(0).password()).isEqualTo("secret");
        assertThat(configuration.databases().get(0).walVolumeBytes()).hasValue(100L << 30);
        assertThat(configuration.clusters().get(0).connectors()).containsExactly("orders");
        assertThat(configuration.clusters().get(0).kafka()).containsEntry("bootstrap.servers", "kafka:9092");
        assertThat(configuration.alerts().holds()).containsEntry("OutboxSlotMissing", Duration.ofSeconds(90));
        assertThat(configuration.actions().stop()).isTrue();
        assertThat(configuration.secrets()).containsExactly("secret");
        assertThat(configuration.toString()).doesNotContain("secret");
    }

    @Test
    void allProblemsAreSaidAtOnce() {
        assertThatThrownBy(() -> read(Map.of(
                        "sample.intervall", "5s",
                        "sample.interval", "soon",
                        "http.port", "99999",
                        "action.stop", "perhaps",
                        "database.shop.password", "${env:NOT_SET}",
                        "database.shop.slot.outbox.connector", "nowhere/x",
                        "database.shop.slot.outbux.table", "a.b")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("sample.intervall is not an option here; did you mean sample.interval?")
                .hasMessageContaining("sample.interval is 'soon'; it has to be a number and ms, s, min, h or d")
                .hasMessageContaining("http.port is '99999'")
                .hasMessageContaining("action.stop is 'perhaps'; it has to be on or off")
                .hasMessageContaining("names the environment variable NOT_SET, which is not set")
                .hasMessageContaining("is 'nowhere/x'; it has to be cluster/connector")
                .hasMessageContaining("did you mean database.shop.slot.outbox.table?");
    }

    @Test
    void upkeepIsOffUntilALoginIsGivenForIt() throws ConfigurationException {
        assertThat(read(Map.of()).upkeeps()).isEmpty();

        Configuration configuration = read(Map.of(
                "database.shop.upkeep.user", "upkeep_job",
                "database.shop.upkeep.password", "${env:PASSWORD}",
                "database.shop.upkeep.inbox.consumers", "billing.v1, mail"));

        assertThat(configuration.upkeeps()).singleElement().satisfies(upkeep -> {
            assertThat(upkeep.interval()).isEqualTo(Duration.ofMinutes(1));
            assertThat(upkeep.inboxConsumers()).containsExactly("billing.v1", "mail");
            assertThat(upkeep.inboxWindow()).isEqualTo(Duration.ofDays(30));
            assertThat(upkeep.toString()).doesNotContain("secret");
        });
        assertThatThrownBy(() -> read(
                        Map.of("database.shop.upkeep.inbox.consumers", "mail", "database.shop.upkeep.interval", "0s")))
                .hasMessageContaining(
                        "database.shop.upkeep.inbox.consumers does nothing without database.shop.upkeep.user")
                .hasMessageContaining("database.shop.upkeep.interval is 0");
    }

    @Test
    void aProblemIsSaidOnceHoweverManySlotsItConcerns() {
        assertThatThrownBy(() -> read(Map.of(
                        "connect.clusters", "not/a/name",
                        "database.shop.slots", "one,two",
                        "database.shop.slot.one.connector", "not/a/name",
                        "database.shop.slot.two.connector", "not/a/name")))
                .satisfies(problem -> assertThat(problem.getMessage())
                        .containsOnlyOnce("connect.clusters has the name 'not/a/name'"));
    }

    @Test
    void whatIsMissingIsNamedWithItsMeaning() {
        assertThatThrownBy(() -> ConfigurationReader.read("f", Map.of("databases", "shop"), Map.of(), RULES))
                .hasMessageContaining("database.shop.jdbc.url is missing. jdbc:postgresql://host:port/database")
                .hasMessageContaining("database.shop.slots is missing. The slots that have to be there.");
    }

    @Test
    void aPasswordBelongsInAVariable() {
        assertThatThrownBy(() -> read(Map.of("database.shop.jdbc.url", "jdbc:postgresql://db/shop?password=hush")))
                .hasMessageContaining("has a password in it")
                .hasMessageNotContaining("hush");
    }

    private static Configuration read(Map<String, String> more) throws ConfigurationException {
        Map<String, String> all = new HashMap<>(LEAST);
        all.putAll(more);
        return ConfigurationReader.read("monitor.properties", all, Map.of("PASSWORD", "secret"), RULES);
    }
}
