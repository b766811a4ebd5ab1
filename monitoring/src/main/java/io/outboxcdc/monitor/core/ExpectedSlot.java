package io.outboxcdc.monitor.core;

import java.util.Optional;

/**
 * A slot that has to be there.
 *
 * @param database the name that the configuration gives to the database
 * @param connector who reads it; empty when that is not watched
 * @param failoverRequired whether a standby has to keep a copy of it
 */
public record ExpectedSlot(
        String database,
        String slot,
        String publication,
        String table,
        Optional<ConnectorRef> connector,
        boolean failoverRequired) {

    /** A connector in one of the watched Connect clusters. */
    public record ConnectorRef(String cluster, String name) {

        @Override
        public String toString() {
            return cluster + "/" + name;
        }
    }

    /** Names the slot among all that are expected. */
    public String key() {
        return database + "/" + slot;
    }
}
