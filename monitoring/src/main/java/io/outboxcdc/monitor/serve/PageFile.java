package io.outboxcdc.monitor.serve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The page's files, all of them in the monitor's jar, so that the page needs no other host. */
enum PageFile {
    INDEX("/", "index.html", "text/html; charset=utf-8"),
    STYLE("/page.css", "page.css", "text/css; charset=utf-8"),
    SCRIPT("/page.js", "page.js", "text/javascript; charset=utf-8"),
    CHART_SCRIPT("/uPlot.js", "dist/uPlot.iife.min.js", "text/javascript; charset=utf-8"),
    CHART_STYLE("/uPlot.css", "dist/uPlot.min.css", "text/css; charset=utf-8");

    private static final String WEBJAR = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";
    private static final Map<String, PageFile> BY_PATH = Map.of(
            INDEX.path, INDEX,
            STYLE.path, STYLE,
            SCRIPT.path, SCRIPT,
            CHART_SCRIPT.path, CHART_SCRIPT,
            CHART_STYLE.path, CHART_STYLE);

    private final String path;
    private final String resource;
    private final String contentType;

    PageFile(String path, String resource, String contentType) {
        this.path = path;
        this.resource = resource;
        this.contentType = contentType;
    }

    static Optional<PageFile> at(String path) {
        return Optional.ofNullable(BY_PATH.get(path));
    }

    String contentType() {
        return contentType;
    }

    String content() throws IOException {
        String name = resource.startsWith("dist/")
                ? "/META-INF/resources/webjars/uplot/" + webjarVersion() + "/" + resource
                : "/io/outboxcdc/monitor/serve/" + resource;
        return read(name);
    }

    private static String webjarVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream stream = open(WEBJAR)) {
            properties.load(stream);
        }
        return properties.getProperty("version");
    }

    private static String read(String name) throws IOException {
        try (InputStream stream = open(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(String name) throws IOException {
        InputStream stream = PageFile.class.getResourceAsStream(name);
        if (stream == null) {
            throw new IOException(name + " is not in the monitor's jar");
        }
        return stream;
    }
}
