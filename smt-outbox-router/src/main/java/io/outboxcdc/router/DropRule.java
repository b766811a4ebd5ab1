package io.outboxcdc.router;

/** Why a change of the outbox table is no event and no fault either. */
enum DropRule {
    UPDATE,
    DELETE,
    TRUNCATE,
    TOMBSTONE,
    SNAPSHOT
}
