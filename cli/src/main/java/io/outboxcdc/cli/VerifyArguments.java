package io.outboxcdc.cli;

import io.outboxcdc.cli.verify.OrderSource;
import io.outboxcdc.cli.verify.VerifyOptions;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** What {@code verify} is to compare. */
final class VerifyArguments {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--jdbc-url",
            required = true,
            paramLabel = "URL",
            description = {
                "The database: jdbc:postgresql://host:port/db?user=..., with any parameter of the driver. A standby will"
                        + " do.",
                "The password may also come from the environment variable PGPASSWORD."
            })
    private String jdbcUrl = "";

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT",
            description = "The Kafka servers, unless the file of --kafka-config names them.")
    private @Nullable String bootstrapServers;

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = "Properties for Kafka clients, such as security.protocol and sasl.jaas.config.")
    private @Nullable Path kafkaConfig;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            defaultValue = "public.outbox",
            description = "The outbox (default: ${DEFAULT-VALUE}).")
    private String table = "";

    @Option(
            names = "--slot",
            paramLabel = "SLOT",
            defaultValue = "outbox",
            description = "The slot that reads it (default: ${DEFAULT-VALUE}); once for each, if there are several.")
    private List<String> slots = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only rows with created_at from then on: 2026-11-30T12:00:00Z, or 24h for a day ago.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Only rows with created_at before then.")
    private @Nullable String until;

    @Option(
            names = "--aggregate-type",
            paramLabel = "TYPE",
            description = "Only rows of this type; may be given more than once.")
    private List<String> aggregateTypes = new ArrayList<>();

    @Option(
            names = "--topics",
            paramLabel = "REGEX",
            defaultValue = "outbox\\.event\\..+",
            description = "The event topics (default: ${DEFAULT-VALUE}).")
    private String topics = "";

    @Option(
            names = "--dead-letter-topic",
            paramLabel = "TOPIC",
            defaultValue = "outbox.dead-letter",
            description = "The topic of dead letters (default: ${DEFAULT-VALUE}).")
    private String deadLetterTopic = "";

    @Option(
            names = "--order-by",
            paramLabel = "SOURCE",
            description = {
                "What says in which order the events of an aggregate were committed: a column with a counter, a counter"
                        + " inside a JSON column such as payload:/version, commit-time, or none.",
                "Default: commit-time if the server has track_commit_timestamp=on, else none."
            })
    private @Nullable String orderBy;

    @Option(
            names = "--read-uncommitted",
            description = "See what a read_uncommitted consumer sees (default: read_committed).")
    private boolean readUncommitted;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long to wait for the slot to confirm the rows that were read (default:"
                    + " ${DEFAULT-VALUE}). Rows that are not in Kafka count as lost only when it has.")
    private String grace = "";

    @Option(
            names = "--temp-folder",
            paramLabel = "DIR",
            description = "Where rows and records are sorted, up to 200 bytes for each event (default: the system's).")
    private @Nullable Path tempFolder;

    /**
     * What these options ask for.
     *
     * @throws ParameterException when one cannot be used
     */
    VerifyOptions options() {
        Instant now = Instant.now();
        Optional<Instant> from = Optional.ofNullable(since).map(text -> time("--since", text, now));
        Optional<Instant> to = Optional.ofNullable(until).map(text -> time("--until", text, now));
        if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
            throw usage("--since is " + from.get() + " and --until is " + to.get() + "; give a span of time.");
        }
        return new VerifyOptions(
                jdbcUrl,
                Optional.ofNullable(System.getenv("PGPASSWORD")),
                table,
                slots,
                from,
                to,
                aggregateTypes,
                Optional.ofNullable(orderBy).map(text -> value("--order-by", text, OrderSource::parse)),
                client(),
                value("--topics", topics, Pattern::compile),
                deadLetterTopic,
                readUncommitted,
                value("--grace", grace, TimeText::duration),
                folder());
    }

    private Properties client() {
        Properties client = new Properties();
        if (kafkaConfig != null) {
            try (Reader file = Files.newBufferedReader(kafkaConfig, StandardCharsets.UTF_8)) {
                client.load(file);
            } catch (IOException | IllegalArgumentException e) {
                throw usage("--kafka-config: the file " + kafkaConfig + " cannot be read: "
                        + e.getClass().getSimpleName());
            }
        }
        if (bootstrapServers != null) {
            client.setProperty(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        }
        if (!client.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            throw usage("--bootstrap-servers is missing, and so is bootstrap.servers in a file of --kafka-config.");
        }
        return client;
    }

    private Path folder() {
        Path folder = tempFolder == null ? Path.of(System.getProperty("java.io.tmpdir")) : tempFolder;
        if (!Files.isDirectory(folder)) {
            throw usage("--temp-folder is " + folder + ", which is no folder.");
        }
        return folder;
    }

    private Instant time(String option, String text, Instant now) {
        return value(option, text, value -> TimeText.instant(value, now));
    }

    private <T> T value(String option, String text, Function<String, T> reading) {
        try {
            return reading.apply(text);
        } catch (PatternSyntaxException e) {
            throw usage(option + ": '" + text + "' is no regular expression: " + e.getDescription() + ".");
        } catch (IllegalArgumentException e) {
            throw usage(option + ": " + e.getMessage());
        }
    }

    private ParameterException usage(String message) {
        if (command == null) {
            throw new IllegalStateException("Used outside of a command line.");
        }
        return new ParameterException(command.commandLine(), message);
    }
}
