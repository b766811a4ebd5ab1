package io.outboxcdc.stack;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The client against prepared answers: those that a real worker gives only at unlucky moments. */
class ConnectRestTest {

    private record Answer(int status, String body) {}

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private ConnectRest rest;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            Answer answer = answers.size() > 1 ? answers.remove() : answers.element();
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        rest = new ConnectRest(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void repeatsARequestThatMeetsARebalance() {
        answers.add(new Answer(409, "{\"message\": \"rebalance in progress\"}"));
        answers.add(new Answer(409, "{\"message\": \"rebalance in progress\"}"));
        answers.add(new Answer(201, "{}"));

        rest.put("orders", "{\"tasks.max\": \"1\"}");

        assertThat(requests).hasSize(3).containsOnly("PUT /connectors/orders/config");
    }

    @Test
    void aRefusalCarriesTheWorkersReason() {
        answers.add(new Answer(400, "{\"error_code\": 400, \"message\": \"slot.name is missing\"}"));

        assertThatThrownBy(() -> rest.put("orders", "{}"))
                .isInstanceOf(StackException.class)
                .hasMessageContaining("refused PUT /connectors/orders/config (HTTP 400): slot.name is missing");
    }

    @Test
    void aRefusalWithoutABodyIsStillASentence() {
        answers.add(new Answer(500, ""));

        assertThatThrownBy(() -> rest.put("orders", "{}"))
                .isInstanceOf(StackException.class)
                .hasMessageContaining("(HTTP 500): no reason given");
    }

    @Test
    void waitsWhileTheWorkerKnowsNoStatus() {
        answers.add(new Answer(404, "{\"message\": \"No status found\"}"));
        answers.add(new Answer(200, status("UNASSIGNED")));
        answers.add(new Answer(200, status("RUNNING")));

        ConnectorStatus status = rest.awaitRunning("orders", Duration.ofSeconds(10));

        assertThat(status.tasks()).extracting(ConnectorStatus.Task::state).containsExactly("RUNNING");
    }

    @Test
    void saysWhatItSawWhenTheTimeIsOver() {
        answers.add(new Answer(200, status("UNASSIGNED")));

        assertThatThrownBy(() -> rest.awaitRunning("orders", Duration.ofSeconds(1)))
                .isInstanceOf(StackException.class)
                .hasMessage("Connector orders does not run after 1 s: connector RUNNING, task 0 UNASSIGNED.");
    }

    @Test
    void encodesNames() {
        answers.add(new Answer(404, ""));

        assertThat(rest.status("a b/c")).isEmpty();
        assertThat(requests).containsExactly("GET /connectors/a%20b%2Fc/status");
    }

    @Test
    void aWorkerThatIsNotThereIsNamed() {
        server.stop(0);

        assertThat(rest.isReady()).isFalse();
        assertThatThrownBy(rest::connectors)
                .isInstanceOf(StackException.class)
                .hasMessageContaining("did not answer GET /connectors")
                .hasMessageContaining("Is it running there?");
    }

    @Test
    void aConfigurationThatIsNotJsonIsRefusedWithoutQuotingIt() {
        assertThatThrownBy(() -> rest.put("orders", "{\"database.password\": secret}"))
                .isInstanceOf(StackException.class)
                .hasMessageStartingWith("The configuration is not JSON");
        assertThatThrownBy(() -> rest.put("orders", "[]")).hasMessage("The configuration is not a JSON object.");
    }

    private static String status(String taskState) {
        return """
                {"name": "orders", "connector": {"state": "RUNNING", "worker_id": "w:1"},
                 "tasks": [{"id": 0, "state": "%s", "worker_id": "w:1"}]}
                """.formatted(taskState);
    }
}
