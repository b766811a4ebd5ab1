package io.outboxcdc.monitor.core;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The position that a Debezium PostgreSQL connector has stored with Connect.
 *
 * @param committed the last commit that was sent whole ({@code lsn_commit}); empty before the first
 * @param processed the last change that was sent whole ({@code lsn_proc})
 * @param latest the last change that was sent ({@code lsn})
 */
public record StoredOffset(Optional<Lsn> committed, Optional<Lsn> processed, Optional<Lsn> latest) {

    /** The farthest position in it. */
    public Optional<Lsn> farthest() {
        return Stream.of(committed, processed, latest).flatMap(Optional::stream).max(Lsn::compareTo);
    }
}
