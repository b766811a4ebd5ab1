package io.outboxcdc.relay.config;

import io.outboxcdc.relay.database.Database;
import io.outboxcdc.relay.publish.KafkaSettings;
import io.outboxcdc.router.OutboxRouter;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.source.SourceRecord;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/** Reads the configuration file, a properties file, and says all that is wrong with it. */
public final class ConfigurationReader {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:([^}]*)}");
    private static final String DEAD_LETTER = "dead.letter.topic";

    /** The router's options as the shipped connector has them. */
    private static final Map<String, String> ROUTER = Map.of(
            "table.include.list",
            "public.outbox",
            "table.field.event.headers",
            "headers",
            "event.type.header",
            "eventType",
            "on.invalid.event",
            "dead-letter",
            DEAD_LETTER,
            "outbox.dead-letter",
            "max.record.bytes",
            "1000000");

    private final Map<String, String> entries = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Object> values = new HashMap<>();

    private ConfigurationReader(Map<String, String> raw, Map<String, String> environment) {
        raw.forEach((key, value) -> entries.put(key, resolve(key, value.strip(), environment)));
    }

    /**
     * Reads a file.
     *
     * @param environment where {@code ${env:NAME}} is looked up
     */
    public static Configuration read(Path file, Map<String, String> environment) throws ConfigurationException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigurationException(
                    "The configuration " + file, List.of("it cannot be read: " + e.getMessage()));
        }
        Map<String, String> raw = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> raw.put(key, properties.getProperty(key)));
        return read(file.toString(), raw, environment);
    }

    static Configuration read(String file, Map<String, String> raw, Map<String, String> environment)
            throws ConfigurationException {
        ConfigurationReader reader = new ConfigurationReader(raw, environment);
        reader.check();
        if (!reader.problems.isEmpty()) {
            throw new ConfigurationException("The configuration " + file, reader.problems);
        }
        return reader.configuration();
    }

    private void check() {
        Map<String, String> own = new HashMap<>();
        entries.forEach((key, value) -> {
            if (!key.startsWith(RelayOption.KAFKA) && !key.startsWith(RelayOption.ROUTER)) {
                own.put(key, value);
            }
        });
        for (ConfigValue value : RelayOption.definition().validate(own)) {
            problems.addAll(value.errorMessages());
            values.put(value.name(), value.value());
        }
        List<String> known =
                Arrays.stream(RelayOption.values()).map(RelayOption::key).toList();
        own.keySet().stream().filter(key -> !known.contains(key)).sorted().forEach(key -> unknown(key, known));
        checkUrl(own.getOrDefault(RelayOption.JDBC_URL.key(), ""));
        checkKafka();
        try {
            new OutboxRouter<SourceRecord>().configure(router());
        } catch (ConfigException e) {
            problems.add("options that begin with " + RelayOption.ROUTER + ": " + e.getMessage());
        }
        if (values.get(RelayOption.LEASE.key()) instanceof Long lease
                && values.get(RelayOption.POLL_MAX.key()) instanceof Long poll
                && poll > lease) {
            problems.add(RelayOption.POLL_MAX.key() + " is longer than " + RelayOption.LEASE.key());
        }
    }

    private void checkUrl(String url) {
        if (!url.isEmpty() && !url.startsWith("jdbc:postgresql:")) {
            problems.add(RelayOption.JDBC_URL.key() + " has to begin with jdbc:postgresql:");
        }
        if (url.contains("password=")) {
            problems.add(RelayOption.JDBC_URL.key() + " has a password in it; give it as "
                    + RelayOption.JDBC_PASSWORD.key() + ", by ${env:NAME}");
        }
    }

    private void checkKafka() {
        Map<String, String> kafka = under(RelayOption.KAFKA);
        if (!kafka.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            problems.add(RelayOption.KAFKA + CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG
                    + " is missing: where Kafka is, host:port");
        }
        KafkaSettings.reserved().stream()
                .filter(kafka::containsKey)
                .forEach(key -> problems.add(RelayOption.KAFKA + key + " is the relay's own matter; leave it out"));
    }

    /** An entry that is no option, and the option that was meant by it, unless more than a third of it differs. */
    private void unknown(String key, List<String> known) {
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        Optional<String> nearest = known.stream()
                .min(Comparator.comparing((String candidate) -> distance.apply(key, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(candidate -> distance.apply(key, candidate) <= Math.max(key.length(), candidate.length()) / 3);
        problems.add(key + " is not an option"
                + nearest.map(found -> "; did you mean " + found + "?").orElse(""));
    }

    private Configuration configuration() {
        return new Configuration(
                new Database(
                        text(RelayOption.JDBC_URL),
                        text(RelayOption.JDBC_USER),
                        ((Password) value(RelayOption.JDBC_PASSWORD)).value()),
                ((List<?>) value(RelayOption.COLUMNS))
                        .stream().map(String.class::cast).toList(),
                text(RelayOption.NAME),
                text(RelayOption.SOURCE_NAME),
                new KafkaSettings(under(RelayOption.KAFKA)),
                router(),
                new Configuration.Topics(
                        (Boolean) value(RelayOption.TOPICS_CREATE),
                        requireNonNull(router().get(DEAD_LETTER)),
                        text(RelayOption.POSITION_TOPIC)),
                new Configuration.Batches(number(RelayOption.BATCH_ROWS), (Long) value(RelayOption.BATCH_BYTES)),
                new Configuration.Pauses(
                        millis(RelayOption.POLL_MIN),
                        millis(RelayOption.POLL_MAX),
                        millis(RelayOption.RETRY_MIN),
                        millis(RelayOption.RETRY_MAX)),
                millis(RelayOption.LEASE),
                new Configuration.Retention(
                        millis(RelayOption.RETENTION),
                        millis(RelayOption.CLEANUP_INTERVAL),
                        number(RelayOption.CLEANUP_ROWS)),
                text(RelayOption.HTTP_ADDRESS),
                number(RelayOption.HTTP_PORT));
    }

    static Map<String, String> routerDefaults() {
        return ROUTER;
    }

    private Map<String, String> router() {
        Map<String, String> options = new HashMap<>(ROUTER);
        options.putAll(under(RelayOption.ROUTER));
        return options;
    }

    private Map<String, String> under(String prefix) {
        Map<String, String> found = new HashMap<>();
        entries.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }

    private Object value(RelayOption option) {
        return requireNonNull(values.get(option.key()));
    }

    private String text(RelayOption option) {
        return (String) value(option);
    }

    private int number(RelayOption option) {
        return (Integer) value(option);
    }

    private Duration millis(RelayOption option) {
        return Duration.ofMillis((Long) value(option));
    }

    private String resolve(String key, String value, Map<String, String> environment) {
        Matcher matcher = VARIABLE.matcher(value);
        StringBuilder resolved = new StringBuilder();
        while (matcher.find()) {
            String found = environment.get(matcher.group(1));
            if (found == null) {
                problems.add(key + " names the environment variable " + matcher.group(1) + ", which is not set");
            }
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(found == null ? "" : found));
        }
        return matcher.appendTail(resolved).toString();
    }
}
