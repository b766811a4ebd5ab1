package io.outboxcdc.monitor.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** JSON over HTTP to a Connect cluster, each request bounded. Thread-safe. */
final class ConnectClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final int FIRST_REFUSAL = 400;

    private final ConnectTarget target;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(BOUND)
            .build();

    ConnectClient(ConnectTarget target) {
        this.target = target;
    }

    /** A name as one segment of a path. */
    static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    JsonNode get(String path) throws IOException {
        return json(send("GET", path), path);
    }

    /** Asks for something to be done. */
    void request(String method, String path) throws IOException {
        HttpResponse<String> response = send(method, path);
        if (response.statusCode() >= FIRST_REFUSAL) {
            throw refusal(response, path);
        }
    }

    private HttpResponse<String> send(String method, String path) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(target.url().toString().replaceAll("/+$", "") + path))
                .timeout(BOUND)
                .method(method, BodyPublishers.noBody());
        if (target.user().isPresent()) {
            String login = target.user().get() + ":" + target.password().orElse("");
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException("Kafka Connect at " + target.url() + " does not answer: " + why, e);
        }
    }

    private JsonNode json(HttpResponse<String> response, String path) throws IOException {
        if (response.statusCode() >= FIRST_REFUSAL) {
            throw refusal(response, path);
        }
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "Kafka Connect at " + target.url() + " answers " + path + " with something not JSON", e);
        }
    }

    private IOException refusal(HttpResponse<String> response, String path) {
        String message;
        try {
            message = JSON.readTree(response.body()).path("message").asText("no reason given");
        } catch (JsonProcessingException e) {
            message = "no reason given";
        }
        return new IOException("Kafka Connect at " + target.url() + " refuses " + path + " (HTTP "
                + response.statusCode() + "): " + message);
    }
}
