package io.outboxcdc.stack.sql;

/**
 * One thing that would keep events from Kafka.
 *
 * @param code stable; the same fault always has the same code
 * @param object what it was found on, for example {@code publication outbox}
 * @param found what was found there
 * @param remedy what to do: SQL to run, or a script to apply
 */
public record Finding(Code code, String object, String found, String remedy) {

    /** The faults that are looked for. */
    public enum Code {
        WAL_LEVEL_NOT_LOGICAL,
        TABLE_MISSING,
        TABLE_NOT_LOGGED,
        COLUMN_MISSING,
        COLUMN_TYPE,
        PUBLICATION_MISSING,
        PUBLICATION_WITHOUT_TABLE,
        PUBLICATION_WITHOUT_INSERTS,
        PUBLICATION_BEYOND_INSERTS,
        PUBLICATION_NOT_VIA_ROOT,
        PUBLICATION_WITHOUT_COLUMN,
        SLOT_MISSING,
        SLOT_LOST,
        SLOT_PLUGIN,
        SLOT_DATABASE,
        SLOT_ACTIVE,
        ROLE_MISSING,
        ROLE_WITHOUT_LOGIN,
        ROLE_WITHOUT_REPLICATION,
        NO_FREE_SLOT,
        NO_FREE_WAL_SENDER
    }

    @Override
    public String toString() {
        return code + " " + object + ": " + found + ". To do: " + remedy;
    }
}
