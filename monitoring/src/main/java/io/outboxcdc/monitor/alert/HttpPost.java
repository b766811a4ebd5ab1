package io.outboxcdc.monitor.alert;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Posts JSON. Messages of its errors leave the path of the URL out, since webhooks have their secret in it. */
final class HttpPost {

    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final int FIRST_REFUSAL = 300;

    private final URI url;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(BOUND).build();

    HttpPost(URI url) {
        this.url = url;
    }

    void json(String body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(BOUND)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        int status;
        try {
            status = client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } catch (IOException e) {
            throw new IOException(
                    url.getHost() + " does not answer (" + e.getClass().getSimpleName() + ")");
        }
        if (status >= FIRST_REFUSAL) {
            throw new IOException(url.getHost() + " answers with HTTP " + status);
        }
    }
}
