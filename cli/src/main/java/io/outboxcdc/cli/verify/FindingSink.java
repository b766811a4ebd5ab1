package io.outboxcdc.cli.verify;

import io.outboxcdc.client.ledger.Finding;

import java.util.Optional;

/** Takes findings, and forgets them when the judging begins anew with more records. */
public interface FindingSink {

    /**
     * Where a record lies.
     *
     * @param offset in the partition
     */
    record Place(String topic, int partition, long offset) {}

    /** Forgets what was taken. */
    void restart();

    /**
     * Takes one.
     *
     * @param place where the event was seen; empty when it was not
     */
    void take(Finding finding, Optional<Place> place);
}
