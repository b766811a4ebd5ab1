package io.outboxcdc.stack;

import io.outboxcdc.stack.sql.Finding;
import io.outboxcdc.stack.sql.Finding.Code;
import io.outboxcdc.stack.sql.OutboxPreflight;
import io.outboxcdc.stack.sql.OutboxSql;
import io.outboxcdc.stack.sql.OutboxSqlException;
import io.outboxcdc.stack.sql.OutboxTarget;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A stack with the outbox in its database and the shipped connector on its worker: all that an event needs to travel.
 *
 * <p>Nothing is done twice or differently for a local pipeline: the scripts are those of {@code sql/}, and the
 * connector's configuration is {@code connector-configs/outbox-connector.json}, sent unchanged.
 *
 * <p>Thread-safe as far as {@link LocalStack} is; start and close it from one thread.
 */
public final class OutboxPipeline implements AutoCloseable {

    /** The connector's name in the worker's REST API. */
    public static final String CONNECTOR = "outbox";

    /** Found together, these mean one thing, which one line says better than three. */
    private static final Set<Code> NOTHING_APPLIED =
            EnumSet.of(Code.TABLE_MISSING, Code.PUBLICATION_MISSING, Code.SLOT_MISSING);

    /** SQLSTATE, see PostgreSQL's documentation, appendix A. */
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private static final String SLOT = "outbox";
    private static final Duration DEPLOYMENT = Duration.ofSeconds(60);
    private static final String SQL_FOLDER = "sql";
    private static final String CONNECTOR_FILE = "connector-configs/outbox-connector.json";

    private final StackOptions options;
    private final StartupProgress progress;
    private final LocalStack stack;

    private OutboxPipeline(StackOptions options, StartupProgress progress, LocalStack stack) {
        this.options = options;
        this.progress = progress;
        this.stack = stack;
    }

    /**
     * Starts everything and returns when the connector's task runs.
     *
     * @param consent what may be done to a given database
     * @throws StackException when something does not come up or the database is not fit; nothing is left running
     */
    public static OutboxPipeline start(StackOptions options, GivenDatabaseConsent consent, StartupProgress progress) {
        OutboxPipeline pipeline = startWithoutConnector(options, consent, progress);
        try {
            pipeline.deployConnector();
            return pipeline;
        } catch (RuntimeException e) {
            pipeline.close();
            throw e;
        }
    }

    /** As {@link #start}, but leaves the connector to {@link #deployConnector()}. */
    public static OutboxPipeline startWithoutConnector(
            StackOptions options, GivenDatabaseConsent consent, StartupProgress progress) {
        // A database that is there already is looked at before anything is started for it.
        options.givenPostgres().ifPresent(given -> prepareGiven(given, options.home(), consent));
        LocalStack stack = LocalStack.start(options, progress);
        try {
            if (options.givenPostgres().isEmpty()) {
                prepare(stack.postgres(), LocalStack.CDC_USER, options.home(), true);
                letConnectorLogIn(stack);
            }
            return new OutboxPipeline(options, progress, stack);
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    /**
     * Puts the shipped configuration and waits until the connector's task runs.
     *
     * @throws StackException when it does not; the message names the root cause
     */
    public void deployConnector() {
        Instant begin = Instant.now();
        progress.starting("connector");
        stack.connect().put(CONNECTOR, configuration());
        stack.connect().awaitRunning(CONNECTOR, DEPLOYMENT);
        progress.ready("connector", Duration.between(begin, Instant.now()));
    }

    /** The stack below. */
    public LocalStack stack() {
        return stack;
    }

    /** Stops everything that {@link #start} started; a given database keeps its outbox and its slot. */
    @Override
    public void close() {
        stack.close();
    }

    private String configuration() {
        Path file = options.home().resolve(CONNECTOR_FILE);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new StackException("The connector configuration " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static void prepareGiven(PostgresAddress given, Path home, GivenDatabaseConsent consent) {
        GivenPostgres.check(given);
        if (!consent.takeSlot()) {
            GivenPostgres.checkNoSlotIsTaken(given, SLOT);
        }
        prepare(given, given.user(), home, consent.applySql());
    }

    private static void prepare(PostgresAddress database, String connectorsRole, Path home, boolean applySql) {
        String place = database.host() + ":" + database.port() + "/" + database.database();
        try (Connection connection = database.connect()) {
            if (applySql) {
                OutboxSql.inFolder(home.resolve(SQL_FOLDER)).applyTo(connection);
            }
            List<Finding> findings =
                    OutboxPreflight.check(connection, OutboxTarget.standard().withRole(connectorsRole));
            if (!findings.isEmpty()) {
                throw new StackException(describe(place, findings));
            }
        } catch (OutboxSqlException e) {
            String hint = e.sqlState().filter(INSUFFICIENT_PRIVILEGE::equals).isPresent()
                    ? ". sql/README.md says, under \"Without a superuser\", which rights are needed."
                    : "";
            throw new StackException("The database " + place + " cannot be prepared: " + e.getMessage() + hint, e);
        } catch (SQLException e) {
            throw new StackException("The database " + place + " cannot be prepared: " + e.getMessage(), e);
        }
    }

    private static String describe(String place, List<Finding> findings) {
        Set<Code> codes = EnumSet.noneOf(Code.class);
        findings.forEach(finding -> codes.add(finding.code()));
        if (codes.containsAll(NOTHING_APPLIED)) {
            return "The database " + place + " has no table public.outbox, no publication and no slot 'outbox'."
                    + " Apply the scripts as sql/README.md says, or let it be done by --apply-sql.";
        }
        return "The database " + place + " is not ready for the connector:\n"
                + findings.stream().map(finding -> "  " + finding).collect(Collectors.joining("\n"));
    }

    private static void letConnectorLogIn(LocalStack stack) {
        try (Connection connection = stack.postgres().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER ROLE " + LocalStack.CDC_USER + " PASSWORD '" + stack.cdcPassword() + "'");
        } catch (SQLException e) {
            throw new StackException(
                    "The role " + LocalStack.CDC_USER + " cannot be given a password: " + e.getMessage(), e);
        }
    }
}
