package io.outboxcdc.monitor.config;

import io.outboxcdc.monitor.config.Configuration.Actions;
import io.outboxcdc.monitor.config.Configuration.Alerts;
import io.outboxcdc.monitor.config.Configuration.UpkeepTarget;
import io.outboxcdc.monitor.core.ExpectedSlot;
import io.outboxcdc.monitor.core.ExpectedSlot.ConnectorRef;
import io.outboxcdc.monitor.core.Thresholds;
import io.outboxcdc.monitor.read.ConnectTarget;
import io.outboxcdc.monitor.read.DatabaseTarget;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the configuration file, a properties file, and says all that is wrong with it. */
public final class ConfigurationReader {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    private final Entries entries;
    private final Set<String> rules;

    private ConfigurationReader(Entries entries, Set<String> rules) {
        this.entries = entries;
        this.rules = rules;
    }

    /**
     * Reads a file.
     *
     * @param environment where {@code ${env:NAME}} is looked up
     * @param rules the names of the alert rules
     */
    public static Configuration read(Path file, Map<String, String> environment, Set<String> rules)
            throws ConfigurationException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigurationException(file.toString(), List.of("it cannot be read: " + e.getMessage()));
        }
        Map<String, String> raw = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> raw.put(key, properties.getProperty(key)));
        return read(file.toString(), raw, environment, rules);
    }

    static Configuration read(String file, Map<String, String> raw, Map<String, String> environment, Set<String> rules)
            throws ConfigurationException {
        Entries entries = new Entries(raw, environment);
        Configuration configuration = new ConfigurationReader(entries, rules).configuration();
        if (!entries.problems().isEmpty()) {
            throw new ConfigurationException(file, entries.problems());
        }
        return configuration;
    }

    private Configuration configuration() {
        List<String> databases = entries.names(Option.DATABASES);
        List<String> clusters = entries.names(Option.CLUSTERS);
        List<DatabaseTarget> targets =
                databases.stream().map(name -> database(name, clusters)).toList();
        List<ConnectTarget> connect =
                clusters.stream().map(name -> cluster(name, targets)).toList();
        refuseUnknown(databases, clusters, targets);
        Duration interval = entries.duration(Option.SAMPLE_INTERVAL);
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            entries.problem(Option.SAMPLE_INTERVAL.key() + " is less than 100ms");
        }
        return new Configuration(
                interval,
                entries.text(Option.HTTP_ADDRESS),
                entries.port(Option.HTTP_PORT),
                Path.of(entries.text(Option.STATE_FILE)),
                targets,
                connect,
                thresholds(),
                alerts(),
                new Actions(
                        entries.isOn(Option.ACTION_RESTART),
                        entries.isOn(Option.ACTION_HEARTBEAT),
                        entries.size(Option.ACTION_HEARTBEAT_BYTES),
                        entries.isOn(Option.ACTION_STOP)),
                databases.stream().flatMap(name -> upkeep(name).stream()).toList(),
                secrets());
    }

    private Optional<UpkeepTarget> upkeep(String name) {
        Optional<String> user = entries.optional(Option.UPKEEP_USER, name);
        UpkeepTarget target = new UpkeepTarget(
                name,
                entries.all().getOrDefault(Option.DATABASE_URL.key(name), ""),
                user.orElse(""),
                entries.text(Option.UPKEEP_PASSWORD, name),
                entries.duration(Option.UPKEEP_INTERVAL, name),
                Values.names(entries.text(Option.UPKEEP_INBOXES, name)),
                entries.duration(Option.UPKEEP_INBOX_WINDOW, name));
        for (Option option : List.of(Option.UPKEEP_INTERVAL, Option.UPKEEP_INBOX_WINDOW)) {
            if (entries.duration(option, name).isZero()) {
                entries.problem(option.key(name) + " is 0");
            }
        }
        for (Option option : List.of(Option.UPKEEP_PASSWORD, Option.UPKEEP_INBOXES)) {
            if (user.isEmpty() && entries.optional(option, name).isPresent()) {
                entries.problem(option.key(name) + " does nothing without " + Option.UPKEEP_USER.key(name));
            }
        }
        return user.map(given -> target);
    }

    private DatabaseTarget database(String name, List<String> clusters) {
        String url = entries.text(Option.DATABASE_URL, name);
        if (!url.isEmpty() && !url.startsWith("jdbc:postgresql:")) {
            entries.problem(Option.DATABASE_URL.key(name) + " has to begin with jdbc:postgresql:");
        }
        if (url.contains("password=")) {
            entries.problem(Option.DATABASE_URL.key(name) + " has a password in it; give it as "
                    + Option.DATABASE_PASSWORD.key(name) + ", by ${env:NAME}");
        }
        List<ExpectedSlot> slots = entries.names(Option.DATABASE_SLOTS, name).stream()
                .map(slot -> slot(name, slot, clusters))
                .toList();
        Optional<Long> volume = entries.optionalSize(Option.DATABASE_WAL_VOLUME, name);
        return new DatabaseTarget(
                name,
                url,
                entries.text(Option.DATABASE_USER, name),
                entries.text(Option.DATABASE_PASSWORD, name),
                slots,
                entries.optional(Option.DATABASE_WAL_PATH, name).map(Path::of),
                volume.isPresent() ? OptionalLong.of(volume.get()) : OptionalLong.empty(),
                entries.optional(Option.DATABASE_IDENTIFIER, name),
                standbys(name));
    }

    private List<String> standbys(String name) {
        List<String> urls = entries.optional(Option.DATABASE_STANDBYS, name)
                .map(text -> List.of(text.split("\\s+")))
                .orElse(List.of());
        for (String url : urls) {
            if (!url.startsWith("jdbc:postgresql:") || url.contains("password=")) {
                entries.problem(Option.DATABASE_STANDBYS.key(name)
                        + " has to be URLs that begin with jdbc:postgresql: and hold no password");
            }
        }
        return urls;
    }

    private ExpectedSlot slot(String database, String slot, List<String> clusters) {
        Optional<String> connector = entries.optional(Option.SLOT_CONNECTOR, database, slot);
        String key = Option.SLOT_CONNECTOR.key(database, slot);
        Optional<ConnectorRef> reference = Optional.empty();
        if (connector.isPresent()) {
            int slash = connector.get().indexOf('/');
            String cluster = slash < 0 ? "" : connector.get().substring(0, slash);
            if (!clusters.contains(cluster)) {
                entries.problem(key + " is '" + connector.get()
                        + "'; it has to be cluster/connector, with a cluster of " + Option.CLUSTERS.key());
            } else {
                reference =
                        Optional.of(new ConnectorRef(cluster, connector.get().substring(slash + 1)));
            }
        }
        String table = entries.text(Option.SLOT_TABLE, database, slot);
        if (!table.contains(".")) {
            entries.problem(Option.SLOT_TABLE.key(database, slot) + " is '" + table
                    + "'; it has to be schema and name, such as public.outbox");
        }
        return new ExpectedSlot(
                database,
                slot,
                entries.text(Option.SLOT_PUBLICATION, database, slot),
                table,
                reference,
                entries.isOn(Option.SLOT_FAILOVER, database, slot));
    }

    private ConnectTarget cluster(String name, List<DatabaseTarget> databases) {
        Set<String> connectors = databases.stream()
                .flatMap(database -> database.slots().stream())
                .flatMap(slot -> slot.connector().stream())
                .filter(reference -> reference.cluster().equals(name))
                .map(ConnectorRef::name)
                .collect(Collectors.toSet());
        String prefix = Option.CLUSTER_KAFKA.key(name, "");
        Map<String, String> kafka = new HashMap<>();
        entries.all().forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                kafka.put(key.substring(prefix.length()), value);
            }
        });
        return new ConnectTarget(
                name,
                uri(Option.CLUSTER_URL.key(name), entries.text(Option.CLUSTER_URL, name)),
                entries.optional(Option.CLUSTER_USER, name),
                entries.optional(Option.CLUSTER_PASSWORD, name),
                connectors,
                kafka);
    }

    private Thresholds thresholds() {
        return new Thresholds(
                entries.duration(Option.STALLED_AFTER),
                entries.duration(Option.CATCHING_UP_LAG),
                entries.size(Option.HELD_BYTES),
                entries.duration(Option.WRITER_AGE),
                entries.size(Option.UNSENT_BYTES));
    }

    private Alerts alerts() {
        Map<String, Duration> holds = new HashMap<>();
        Set<String> disabled = new HashSet<>();
        for (String rule : rules) {
            entries.optionalDuration(Option.ALERT_FOR, rule).ifPresent(hold -> holds.put(rule, hold));
            if (!entries.isOn(Option.ALERT_ON, rule)) {
                disabled.add(rule);
            }
        }
        return new Alerts(
                entries.duration(Option.ALERT_RESOLVE_AFTER),
                entries.optional(Option.ALERT_WEBHOOK).map(url -> uri(Option.ALERT_WEBHOOK.key(), url)),
                entries.optional(Option.ALERT_ALERTMANAGER).map(url -> uri(Option.ALERT_ALERTMANAGER.key(), url)),
                entries.text(Option.ALERT_RUNBOOKS),
                holds,
                disabled);
    }

    private URI uri(String key, String text) {
        try {
            URI uri = URI.create(text);
            if (text.isEmpty() || "http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // Said below; the message could hold a secret.
        }
        entries.problem(key + " is not a URL that begins with http:// or https://");
        return URI.create("");
    }

    private Set<String> secrets() {
        Set<String> secrets = new HashSet<>();
        entries.all().forEach((key, value) -> {
            boolean secret = Arrays.stream(Option.values())
                    .anyMatch(option -> option.kind() == Option.Kind.SECRET && option.matches(key));
            if (secret && !key.endsWith("bootstrap.servers") && value.length() > 3) {
                secrets.add(value);
            }
        });
        return secrets;
    }

    private void refuseUnknown(List<String> databases, List<String> clusters, List<DatabaseTarget> targets) {
        Set<String> known = new HashSet<>();
        for (Option option : Option.values()) {
            known.addAll(keys(option, databases, clusters, targets));
        }
        for (String key : entries.all().keySet()) {
            boolean ofKafka = clusters.stream().anyMatch(name -> key.startsWith(Option.CLUSTER_KAFKA.key(name, "")));
            if (!known.contains(key) && !ofKafka) {
                entries.unknown(key, known);
            }
        }
    }

    private Set<String> keys(
            Option option, List<String> databases, List<String> clusters, List<DatabaseTarget> targets) {
        Set<String> keys = new HashSet<>();
        if (option.key().contains("<slot>")) {
            targets.forEach(database ->
                    database.slots().forEach(slot -> keys.add(option.key(database.name(), slot.slot()))));
        } else if (option.key().contains("<database>")) {
            databases.forEach(database -> keys.add(option.key(database)));
        } else if (option.key().contains("<cluster>")) {
            clusters.forEach(cluster -> keys.add(option.key(cluster)));
        } else if (option.key().contains("<rule>")) {
            rules.forEach(rule -> keys.add(option.key(rule)));
        } else {
            keys.add(option.key());
        }
        return keys;
    }
}
