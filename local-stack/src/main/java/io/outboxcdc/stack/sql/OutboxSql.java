package io.outboxcdc.stack.sql;

import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Applies the numbered scripts of a folder in the order of their numbers, each in a transaction of its own. That is not
 * a nicety: a logical slot cannot be made in a transaction that has written.
 *
 * <p>Immutable and thread-safe; a connection serves one call at a time.
 */
public final class OutboxSql {
    private static final Pattern SCRIPT = Pattern.compile("(\\d+)_\\w+\\.sql");

    private final List<SqlScript> scripts;

    private final Map<String, String> settings;

    private OutboxSql(List<SqlScript> scripts, Map<String, String> settings) {
        this.scripts = scripts;
        this.settings = settings;
    }

    /**
     * Reads the scripts named {@code <number>_<name>.sql} of a folder; other files are left alone.
     *
     * @throws OutboxSqlException when the folder has none or one cannot be read
     */
    public static OutboxSql inFolder(Path folder) {
        List<SqlScript> scripts;
        try (Stream<Path> files = Files.list(folder)) {
            scripts = files.filter(OutboxSql::isScript)
                    .sorted(Comparator.comparingLong(OutboxSql::number).thenComparing(Path::getFileName))
                    .map(SqlScript::read)
                    .toList();
        } catch (IOException e) {
            throw new OutboxSqlException(
                    "Folder " + folder + " cannot be read (" + e + "). Give the folder of the SQL scripts.", "", "", e);
        }
        if (scripts.isEmpty()) {
            throw new OutboxSqlException("Folder " + folder
                    + " holds no script named <number>_<name>.sql. Give the folder of the SQL scripts.");
        }
        return new OutboxSql(scripts, Map.of());
    }

    /**
     * The same scripts with a session setting, for example {@code with("outbox.payload_type", "bytea")}.
     *
     * @throws IllegalArgumentException when no script reads a setting of that name
     */
    public OutboxSql with(String setting, String value) {
        Set<String> known = new TreeSet<>();
        scripts.forEach(script -> known.addAll(script.settings()));
        if (!known.contains(setting)) {
            throw new IllegalArgumentException("No script reads the setting " + setting + ". Known: " + known + ".");
        }
        Map<String, String> more = new TreeMap<>(settings);
        more.put(setting, value);
        return new OutboxSql(scripts, Map.copyOf(more));
    }

    /**
     * Applies all scripts. What was committed before a failing script stays; the scripts may be applied again.
     *
     * @param connection in auto-commit mode, which it is in again afterwards
     * @throws OutboxSqlException at the first script that fails; its own changes are rolled back
     * @throws IllegalArgumentException when the connection is not in auto-commit mode
     * @throws SQLException when the connection itself fails
     */
    public List<AppliedScript> applyTo(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalArgumentException("The connection has a transaction of its own, and a slot cannot be made"
                    + " in one that has written. Give a connection in auto-commit mode.");
        }
        List<AppliedScript> applied = new ArrayList<>();
        for (SqlScript script : scripts) {
            applied.add(apply(connection, script));
        }
        return applied;
    }

    private AppliedScript apply(Connection connection, SqlScript script) throws SQLException {
        List<String> notices = new ArrayList<>();
        connection.setAutoCommit(false);
        try {
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                set(connection, setting.getKey(), setting.getValue());
            }
            for (SqlScript.Statement statement : script.statements()) {
                execute(connection, script, statement, notices);
            }
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(true);
            }
        }
        return new AppliedScript(script.name(), notices);
    }

    /** For this transaction only, so that nothing is left in the session. */
    private static void set(Connection connection, String name, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT set_config(?, ?, true)")) {
            statement.setString(1, name);
            statement.setString(2, value);
            statement.execute();
        }
    }

    private static void execute(
            Connection connection, SqlScript script, SqlScript.Statement statement, List<String> notices)
            throws SQLException {
        try (Statement jdbc = connection.createStatement()) {
            jdbc.setEscapeProcessing(false);
            jdbc.execute(statement.text());
            for (SQLWarning warning = jdbc.getWarnings(); warning != null; warning = warning.getNextWarning()) {
                notices.add(warning.getMessage());
            }
        } catch (PSQLException e) {
            throw failure(script, statement, e);
        }
    }

    private static OutboxSqlException failure(SqlScript script, SqlScript.Statement statement, PSQLException e) {
        Optional<ServerErrorMessage> server = Optional.ofNullable(e.getServerErrorMessage());
        int line = script.line(
                statement, server.map(ServerErrorMessage::getPosition).orElse(0));
        StringBuilder message = new StringBuilder("Script " + script.name() + ", line " + line + ": ");
        message.append(server.map(ServerErrorMessage::getMessage).orElseGet(e::getMessage));
        server.map(ServerErrorMessage::getDetail)
                .ifPresent(detail -> message.append(". ").append(withoutEnd(detail)));
        server.map(ServerErrorMessage::getHint)
                .ifPresent(hint -> message.append(". To do: ").append(hint));
        String sqlState = Optional.ofNullable(e.getSQLState()).orElse("");
        return new OutboxSqlException(message.toString(), script.name(), sqlState, e);
    }

    private static String withoutEnd(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private static void rollback(Connection connection, Exception failure) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private static boolean isScript(Path file) {
        return SCRIPT.matcher(file.getFileName().toString()).matches();
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('_')));
    }
}
