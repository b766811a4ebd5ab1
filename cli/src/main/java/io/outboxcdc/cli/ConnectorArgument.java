package io.outboxcdc.cli;

import io.outboxcdc.cli.slot.Situation.Reader;
import io.outboxcdc.monitor.core.ConnectorFacts;
import io.outboxcdc.monitor.core.Reading;
import io.outboxcdc.monitor.core.StoredOffset;
import io.outboxcdc.monitor.read.ConnectReader;
import io.outboxcdc.monitor.read.ConnectTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The connector that reads a slot. */
final class ConnectorArgument {

    /** Debezium's defaults. */
    private static final String DEFAULT_SLOT = "debezium";

    private static final String DEFAULT_PUBLICATION = "dbz_publication";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--connect-url", paramLabel = "URL", description = "The REST interface of Kafka Connect.")
    private @Nullable URI connectUrl;

    @Option(
            names = "--connect-user",
            paramLabel = "USER",
            description =
                    "The user for it, if it asks for one; the password is the environment variable CONNECT_PASSWORD.")
    private @Nullable String connectUser;

    @Option(
            names = "--connector",
            paramLabel = "NAME",
            defaultValue = "outbox",
            description = "The connector that reads the slot (default: ${DEFAULT-VALUE}).")
    private String connector = "";

    @Option(
            names = "--without-connector",
            description = "In place of --connect-url: no connector reads the slot any more, nor will one.")
    private boolean without;

    /**
     * The connector as it is now; empty when the user says that there is none.
     *
     * @throws CommandFailure when it is not there, or cannot be asked
     */
    Optional<Reader> read() {
        if (without == (connectUrl != null)) {
            throw new ParameterException(
                    spec().commandLine(),
                    "give --connect-url, so that the connector and its offset can be looked at, or --without-connector.");
        }
        if (connectUrl == null) {
            return Optional.empty();
        }
        if (connectUrl.getHost() == null) {
            throw new ParameterException(
                    spec().commandLine(), "--connect-url is '" + connectUrl + "'; it has to be a URL.");
        }
        Reading<Map<String, ConnectorFacts>> reading = new ConnectReader(new ConnectTarget(
                        "given",
                        connectUrl,
                        Optional.ofNullable(connectUser),
                        Optional.ofNullable(System.getenv("CONNECT_PASSWORD")),
                        Set.of(connector),
                        Map.of()))
                .read();
        Map<String, ConnectorFacts> all = reading.value()
                .orElseThrow(() -> new CommandFailure(reading.reason().orElse("") + ". Nothing is done."));
        ConnectorFacts found = all.get(connector);
        if (found == null) {
            throw new CommandFailure(
                    "There is no connector " + connector + " at " + connectUrl + ". Its offset can be kept"
                            + " nevertheless, and is seen only while there is one: create it with \"initial_state\": \"STOPPED\", or"
                            + " give --without-connector when none will read this slot again.");
        }
        return Optional.of(reader(found));
    }

    private static Reader reader(ConnectorFacts found) {
        Map<String, String> config = found.config();
        Optional<StoredOffset> offset = found.offset()
                .value()
                .orElseThrow(() -> new CommandFailure("The offset of connector " + found.name() + " cannot be read: "
                        + found.offset().reason().orElse("") + ". Nothing is done."));
        Optional<String> prefix = config.entrySet().stream()
                .filter(setting -> setting.getKey().matches("transforms\\.[^.]+\\.message\\.prefix"))
                .map(Map.Entry::getValue)
                .findFirst();
        return new Reader(
                found.name(),
                found.state(),
                found.tasks().size(),
                config.getOrDefault("slot.name", DEFAULT_SLOT),
                Optional.of(config.getOrDefault("publication.name", DEFAULT_PUBLICATION)),
                prefix,
                offset);
    }

    private CommandSpec spec() {
        if (command == null) {
            throw new IllegalStateException("Used outside of a command line.");
        }
        return command;
    }
}
