package io.outboxcdc.relay.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** Answers GET for {@code /metrics}, {@code /health/live} and {@code /health/ready}, and nothing that changes anything. */
public final class MetricsServer implements AutoCloseable {

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final Counts counts;
    private final BooleanSupplier ready;

    private MetricsServer(HttpServer server, Counts counts, BooleanSupplier ready) {
        this.server = server;
        this.counts = counts;
        this.ready = ready;
    }

    /**
     * Begins to serve.
     *
     * @param port  0 for a free one
     * @param ready whether database and Kafka answered last
     * @throws IOException when the port cannot be used
     */
    public static MetricsServer start(String address, int port, Counts counts, BooleanSupplier ready)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), 0);
        } catch (IOException e) {
            throw new IOException(
                    "http.address " + address + " and http.port " + port + " cannot be used: " + e.getMessage(), e);
        }
        MetricsServer metrics = new MetricsServer(server, counts, ready);
        server.createContext("/", metrics::handle);
        server.start();
        return metrics;
    }

    /** Where it is. */
    public URI url() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().isAnyLocalAddress()
                ? "localhost"
                : bound.getAddress().getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort() + "/");
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                answer(exchange, NOT_ALLOWED, TEXT, "Only GET.\n");
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> metrics(exchange);
                case "/health/live" -> answer(exchange, OK, TEXT, "live\n");
                case "/health/ready" -> {
                    boolean yes = ready.getAsBoolean();
                    answer(exchange, yes ? OK : UNAVAILABLE, TEXT, yes ? "ready\n" : "the database does not answer\n");
                }
                default -> answer(exchange, NOT_FOUND, TEXT, "Not found.\n");
            }
        }
    }

    private void metrics(HttpExchange exchange) throws IOException {
        ExpositionFormatWriter writer =
                ExpositionFormats.init().findWriter(exchange.getRequestHeaders().getFirst("Accept"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writer.write(
                bytes,
                new MetricSnapshots(
                        Arrays.stream(RelayMetric.values()).map(this::snapshot).toList()));
        answer(exchange, OK, writer.getContentType(), bytes.toString(StandardCharsets.UTF_8));
    }

    private MetricSnapshot snapshot(RelayMetric metric) {
        double value = counts.get(metric);
        return metric.kind() == RelayMetric.Kind.COUNTER
                ? CounterSnapshot.builder()
                        .name(metric.baseName())
                        .help(metric.help())
                        .dataPoint(
                                CounterDataPointSnapshot.builder().value(value).build())
                        .build()
                : GaugeSnapshot.builder()
                        .name(metric.baseName())
                        .help(metric.help())
                        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                        .build();
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
