package io.outboxcdc.stack;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Where a PostgreSQL database is, and as whom to enter it.
 *
 * @param password never shown by {@link #toString()}
 */
public record PostgresAddress(String host, int port, String database, String user, String password) {

    private static final String LOGIN_TIMEOUT_SECONDS = "10";
    private static final String FORM = "jdbc:postgresql://host:port/database?user=...&password=...";

    /**
     * Reads an address by the rules of the PostgreSQL JDBC driver.
     *
     * @return the address; its password is empty when the URL has none
     * @throws StackException if it is not such a URL, names several hosts, leaves out the user, or has parameters besides
     *     user and password, which the connector would not get
     */
    public static PostgresAddress parse(String jdbcUrl) {
        Map<String, String> parts = parts(jdbcUrl);
        List<String> problems = new ArrayList<>();
        if (parts.getOrDefault("PGHOST", "").contains(",")) {
            problems.add("it names several hosts, one is needed");
        }
        if (!parts.containsKey("user")) {
            problems.add("the user is missing");
        }
        List<String> others = otherParameters(jdbcUrl);
        if (!others.isEmpty()) {
            problems.add("the parameters " + others + " are not understood here");
        }
        if (!problems.isEmpty()) {
            throw new StackException(
                    "JDBC URL not usable: %s. Expected %s".formatted(String.join("; ", problems), FORM));
        }
        return new PostgresAddress(
                part(parts, "PGHOST"),
                Integer.parseInt(part(parts, "PGPORT")),
                part(parts, "PGDBNAME"),
                part(parts, "user"),
                parts.getOrDefault("password", ""));
    }

    /** The address as a JDBC URL, with user and password in it. */
    public String jdbcUrl() {
        return jdbcUrlWithoutPassword() + "&password=" + encoded(password);
    }

    /** As {@link #jdbcUrl()}, for places where the password must not be seen. */
    public String jdbcUrlWithoutPassword() {
        return "jdbc:postgresql://%s:%d/%s?user=%s".formatted(host, port, encoded(database), encoded(user));
    }

    /** Opens a connection, in ten seconds or not at all; the caller closes it. */
    public Connection connect() throws SQLException {
        Properties bounds = new Properties();
        bounds.setProperty("loginTimeout", LOGIN_TIMEOUT_SECONDS);
        return DriverManager.getConnection(jdbcUrl(), bounds);
    }

    @Override
    public String toString() {
        return "%s:%d/%s as %s".formatted(host, port, database, user);
    }

    private static List<String> otherParameters(String jdbcUrl) {
        int question = jdbcUrl.indexOf('?');
        return question < 0
                ? List.of()
                : Arrays.stream(jdbcUrl.substring(question + 1).split("&"))
                        .map(parameter -> parameter.replaceFirst("=.*", ""))
                        .filter(name -> !name.equals("user") && !name.equals("password"))
                        .toList();
    }

    /** What the driver's own parser reads, its defaults filled in, by the names that it gives its properties. */
    private static Map<String, String> parts(String jdbcUrl) {
        try {
            Map<String, String> parts = new HashMap<>();
            for (DriverPropertyInfo property :
                    DriverManager.getDriver(jdbcUrl).getPropertyInfo(jdbcUrl, new Properties())) {
                if (property.value != null) {
                    parts.put(property.name, property.value);
                }
            }
            return parts;
        } catch (SQLException e) {
            // The driver's message is left out: it would repeat the URL, and with it the password.
            throw new StackException("Not a JDBC URL of PostgreSQL. Expected " + FORM);
        }
    }

    private static String part(Map<String, String> parts, String name) {
        String value = parts.get(name);
        if (value == null) {
            throw new StackException("Not a JDBC URL of PostgreSQL: it lacks %s. Expected %s".formatted(name, FORM));
        }
        return value;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
