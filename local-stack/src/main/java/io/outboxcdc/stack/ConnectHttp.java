package io.outboxcdc.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** JSON over HTTP to a Connect worker: bounded, repeated while the group rebalances, refusals as sentences. */
final class ConnectHttp {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(5);
    private static final Duration PROBE_BOUND = Duration.ofSeconds(2);
    /** A PUT waits for the group to settle; the worker itself gives up after 90 s. */
    private static final Duration REQUEST_BOUND = Duration.ofSeconds(60);

    private static final int OK = 200;
    private static final int FIRST_REFUSAL = 400;
    private static final int NOT_FOUND = 404;
    private static final int REBALANCING = 409;

    private static final RetryPolicy<HttpResponse<String>> WHILE_REBALANCING =
            RetryPolicy.<HttpResponse<String>>builder()
                    .handleResultIf(response -> response.statusCode() == REBALANCING)
                    .withBackoff(100, 2_000, ChronoUnit.MILLIS)
                    .abortOn(Exception.class)
                    .withMaxRetries(-1)
                    .withMaxDuration(Duration.ofMinutes(1))
                    .build();

    /** A connection kept from before a restart of the worker fails once; every request here can be repeated. */
    private static final RetryPolicy<HttpResponse<String>> AFTER_A_BROKEN_CONNECTION =
            RetryPolicy.<HttpResponse<String>>builder()
                    .handle(IOException.class)
                    .abortOn(HttpTimeoutException.class)
                    .withMaxRetries(2)
                    .withDelay(Duration.ofMillis(200))
                    .build();

    private final URI url;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_BOUND)
            .build();

    ConnectHttp(URI url) {
        this.url = url;
    }

    /** A JSON object from its text. */
    static ObjectNode object(String json) {
        try {
            if (JSON.readTree(json) instanceof ObjectNode object) {
                return object;
            }
            throw new StackException("The configuration is not a JSON object.");
        } catch (JsonProcessingException e) {
            // Without the text: a configuration may hold a password.
            e.clearLocation();
            throw new StackException("The configuration is not JSON: " + e.getOriginalMessage());
        }
    }

    /** A name as one segment of a path. */
    static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    boolean isHealthy() {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(uri("/health")).timeout(PROBE_BOUND).build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    JsonNode get(String path) {
        return json(accepted("GET", path, send("GET", path, BodyPublishers.noBody())));
    }

    Optional<JsonNode> find(String path) {
        HttpResponse<String> response = send("GET", path, BodyPublishers.noBody());
        return response.statusCode() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(json(accepted("GET", path, response)));
    }

    JsonNode put(String path, ObjectNode body) {
        return json(accepted("PUT", path, send("PUT", path, BodyPublishers.ofString(body.toString()))));
    }

    void post(String path) {
        accepted("POST", path, send("POST", path, BodyPublishers.noBody()));
    }

    boolean delete(String path) {
        HttpResponse<String> response = send("DELETE", path, BodyPublishers.noBody());
        if (response.statusCode() == NOT_FOUND) {
            return false;
        }
        accepted("DELETE", path, response);
        return true;
    }

    private URI uri(String path) {
        return URI.create(url.toString().replaceAll("/+$", "") + path);
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body) {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(REQUEST_BOUND)
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
        try {
            return Failsafe.with(WHILE_REBALANCING, AFTER_A_BROKEN_CONNECTION)
                    .get(() -> client.send(request, BodyHandlers.ofString()));
        } catch (FailsafeException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new StackException(
                    "Kafka Connect at %s did not answer %s %s: %s. Is it running there?"
                            .formatted(url, method, path, e.getCause()),
                    e.getCause());
        }
    }

    private HttpResponse<String> accepted(String method, String path, HttpResponse<String> response) {
        if (response.statusCode() >= FIRST_REFUSAL) {
            String message = json(response).path("message").asText("no reason given, see the worker's log");
            throw new StackException("Kafka Connect at %s refused %s %s (HTTP %d): %s"
                    .formatted(url, method, path, response.statusCode(), message));
        }
        return response;
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return response.body().isEmpty() ? MissingNode.getInstance() : JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
