package io.outboxcdc.monitor.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;

/** On a real HTTP server, which refuses when a test tells it to. */
class DeliveryTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<JsonNode> received = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int answer = 200;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (answer == 200) {
                received.add(JSON.readTree(body));
            }
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void anAlertIsToldOnceAndItsEndOnce() {
        Delivery delivery = webhook();

        delivery.deliver(NOW, List.of(alert(AlertRule.SLOT_MISSING)));
        delivery.deliver(NOW.plusSeconds(5), List.of(alert(AlertRule.SLOT_MISSING)));
        delivery.deliver(NOW.plusSeconds(10), List.of(ended(AlertRule.SLOT_MISSING)));
        delivery.deliver(NOW.plusSeconds(15), List.of());

        assertThat(received).hasSize(2);
        assertThat(received.get(0).path("alerts").get(0).path("status").asText())
                .isEqualTo("firing");
        assertThat(received.get(0).path("alerts").get(0).path("runbook_url").asText())
                .isEqualTo("runbook.md#outboxslotmissing");
        assertThat(received.get(1).path("alerts").get(0).path("status").asText())
                .isEqualTo("resolved");
    }

    @Test
    void whatIsAboutOneDatabaseIsOneMessageWithTheWorstFirst() {
        webhook().deliver(NOW, List.of(alert(AlertRule.LAG_HIGH), alert(AlertRule.SLOT_LOST)));

        assertThat(received).singleElement().satisfies(message -> {
            assertThat(message.path("group").asText()).isEqualTo("shop");
            assertThat(message.path("alerts").get(0).path("name").asText()).isEqualTo("OutboxSlotLost");
        });
    }

    @Test
    void whatWasNotTakenIsSentAgainLaterAndThenOnce() {
        Delivery delivery = webhook();
        answer = 503;
        assertThat(delivery.deliver(NOW, List.of(alert(AlertRule.SLOT_LOST)))).isFalse();
        answer = 200;

        delivery.deliver(NOW.plusSeconds(1), List.of(alert(AlertRule.SLOT_LOST)));
        assertThat(received).isEmpty();
        delivery.deliver(NOW.plusSeconds(6), List.of(alert(AlertRule.SLOT_LOST)));
        delivery.deliver(NOW.plusSeconds(12), List.of(alert(AlertRule.SLOT_LOST)));

        assertThat(received).hasSize(1);
    }

    @Test
    void anEndThatWasNotTakenIsNotForgotten() {
        Delivery delivery = webhook();
        delivery.deliver(NOW, List.of(alert(AlertRule.SLOT_LOST)));
        answer = 503;
        delivery.deliver(NOW.plusSeconds(10), List.of(ended(AlertRule.SLOT_LOST)));
        answer = 200;

        delivery.deliver(NOW.plusSeconds(20), List.of());

        assertThat(received).hasSize(2);
    }

    @Test
    void afterARestartNothingIsToldAgain() {
        Delivery before = webhook();
        before.deliver(NOW, List.of(alert(AlertRule.SLOT_LOST)));
        Delivery after = webhook();
        after.restore(before.save());

        after.deliver(NOW.plusSeconds(60), List.of(alert(AlertRule.SLOT_LOST)));
        after.deliver(NOW.plusSeconds(65), List.of(ended(AlertRule.SLOT_LOST)));

        assertThat(received).hasSize(2);
    }

    @Test
    void alertmanagerHearsOfAnAlertAsLongAsItLasts() {
        Delivery delivery = new Delivery(new AlertmanagerReceiver(url(), "runbook.md"));

        delivery.deliver(NOW, List.of(alert(AlertRule.SLOT_LOST)));
        delivery.deliver(NOW.plusSeconds(5), List.of(alert(AlertRule.SLOT_LOST)));
        delivery.deliver(NOW.plusSeconds(61), List.of(alert(AlertRule.SLOT_LOST)));
        delivery.deliver(NOW.plusSeconds(66), List.of(ended(AlertRule.SLOT_LOST)));

        assertThat(received).hasSize(3);
        JsonNode first = received.get(0).get(0);
        assertThat(first.path("labels").path("alertname").asText()).isEqualTo("OutboxSlotLost");
        assertThat(first.path("labels").path("slot").asText()).isEqualTo("outbox");
        assertThat(first.has("endsAt")).isFalse();
        assertThat(received.get(2).get(0).path("endsAt").asText()).isEqualTo("2026-03-01T12:01:00Z");
    }

    private Delivery webhook() {
        return new Delivery(new WebhookReceiver(url(), "runbook.md"));
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
    }

    private static Alert alert(AlertRule rule) {
        return new Alert(rule, Map.of("database", "shop", "slot", "outbox"), "found", NOW, Optional.empty());
    }

    private static Alert ended(AlertRule rule) {
        return new Alert(rule, Map.of("database", "shop", "slot", "outbox"), "", NOW, Optional.of(NOW.plusSeconds(60)));
    }
}
