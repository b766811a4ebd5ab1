package io.outboxcdc.monitor.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Answers GET and HEAD, and nothing that changes anything. */
public final class WebServer implements AutoCloseable {

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final int THREADS = 4;

    private final HttpServer server;
    private final ExecutorService threads;
    private final Supplier<View> view;

    private record Answer(int status, String contentType, String body) {}

    private WebServer(HttpServer server, Supplier<View> view) {
        this.server = server;
        this.view = view;
        this.threads = Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "slot-monitor-http");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to serve.
     *
     * @param port 0 for a free one
     * @throws IOException when the port cannot be used
     */
    public static WebServer start(String address, int port, Supplier<View> view) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), 0);
        } catch (IOException e) {
            throw new IOException(
                    "http.address " + address + " and http.port " + port + " cannot be used: " + e.getMessage(), e);
        }
        WebServer web = new WebServer(server, view);
        server.createContext("/", web::handle);
        server.setExecutor(web.threads);
        server.start();
        return web;
    }

    /** Where the page is. */
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
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            boolean reads = method.equals("GET") || method.equals("HEAD");
            Answer answer = reads ? answer(exchange) : new Answer(NOT_ALLOWED, TEXT, "Only GET and HEAD.\n");
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", answer.contentType);
            headers.set("Cache-Control", "no-store");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set(
                    "Content-Security-Policy",
                    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:");
            if (method.equals("HEAD")) {
                exchange.sendResponseHeaders(answer.status, -1);
                return;
            }
            byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        View now = view.get();
        String path = exchange.getRequestURI().getPath();
        return switch (path) {
            case "/metrics" -> {
                Exposition.Body body = Exposition.of(
                        now.measurements(), exchange.getRequestHeaders().getFirst("Accept"));
                yield new Answer(OK, body.contentType(), body.text());
            }
            case "/api/status" -> new Answer(OK, JSON, StatusJson.status(now));
            case "/api/detail" -> new Answer(OK, JSON, StatusJson.detail(now));
            case "/health/live" -> new Answer(OK, TEXT, "live\n");
            case "/health/ready" -> ready(now.readiness());
            default -> page(path);
        };
    }

    private static Answer ready(Readiness readiness) {
        if (readiness.isReady()) {
            return new Answer(OK, TEXT, "ready\n");
        }
        var silent = readiness.last().isEmpty() ? readiness.before() : readiness.last();
        return new Answer(UNAVAILABLE, TEXT, String.join("\n", silent) + "\n");
    }

    private static Answer page(String path) throws IOException {
        Optional<PageFile> file = PageFile.at(path);
        return file.isPresent()
                ? new Answer(OK, file.get().contentType(), file.get().content())
                : new Answer(NOT_FOUND, TEXT, "Not found.\n");
    }
}
