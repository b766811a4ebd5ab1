package io.outboxcdc.stack.sql;

import java.util.Optional;

/** A script could not be read or applied; the message names script and line and carries the server's words. */
public final class OutboxSqlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String script;

    private final String sqlState;

    OutboxSqlException(String message, String script, String sqlState, Throwable cause) {
        super(message, cause);
        this.script = script;
        this.sqlState = sqlState;
    }

    OutboxSqlException(String message) {
        super(message);
        this.script = "";
        this.sqlState = "";
    }

    /** The file name of the script that failed; empty when no script was reached. */
    public Optional<String> script() {
        return script.isEmpty() ? Optional.empty() : Optional.of(script);
    }

    /** The server's SQLSTATE; empty when the server had no part in it. */
    public Optional<String> sqlState() {
        return sqlState.isEmpty() ? Optional.empty() : Optional.of(sqlState);
    }
}
