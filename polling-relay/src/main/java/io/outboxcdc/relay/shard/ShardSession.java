package io.outboxcdc.relay.shard;

import io.outboxcdc.relay.config.Configuration;
import io.outboxcdc.relay.core.AggregateKey;
import io.outboxcdc.relay.core.BatchNote;
import io.outboxcdc.relay.core.BlockedAggregates;
import io.outboxcdc.relay.core.EventRow;
import io.outboxcdc.relay.database.Lease;
import io.outboxcdc.relay.database.ShardRows;
import io.outboxcdc.relay.database.ShardTable;
import io.outboxcdc.relay.publish.EventRecords;
import io.outboxcdc.relay.publish.Publication;
import io.outboxcdc.relay.publish.Refusals;
import io.outboxcdc.relay.serve.RelayMetric;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One shard, from taking it over to the first failure of database or Kafka. Each event is published once, however many
 * sessions of however many instances there are:
 *
 * <ol>
 *   <li>Kafka lets only the session that began last commit. What an earlier one had open is aborted when it begins.
 *   <li>It then reads the note of the last batch, which was committed together with that batch. When its number is the one
 *       after the last that is marked in the database, its events are marked now.
 *   <li>Only then are events read: those that are not marked. So none of them is in any batch before.
 *   <li>Events are marked only after Kafka has said that their batch is committed.
 * </ol>
 *
 * <p>Not thread-safe.
 */
final class ShardSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ShardSession.class);

    private final RelayContext context;
    private final int shard;
    private final BlockedAggregates blocked;
    private final Connection connection;
    private final ShardRows rows;
    private final Publication publication;
    private long number;

    private ShardSession(
            RelayContext context,
            int shard,
            BlockedAggregates blocked,
            Connection connection,
            Publication publication) {
        this.context = context;
        this.shard = shard;
        this.blocked = blocked;
        this.connection = connection;
        this.rows = new ShardRows(connection, shard, context.layout());
        this.publication = publication;
    }

    /**
     * Takes a shard over.
     *
     * @return empty when the lease is over; then nobody is fenced
     * @throws KafkaException if Kafka does not answer
     */
    static Optional<ShardSession> open(RelayContext context, Lease lease, BlockedAggregates blocked)
            throws SQLException {
        Connection connection = context.configuration().database().connect();
        try {
            if (ShardTable.batch(connection, lease).isEmpty()) {
                connection.close();
                return Optional.empty();
            }
            return takeOver(context, lease, blocked, connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static Optional<ShardSession> takeOver(
            RelayContext context, Lease lease, BlockedAggregates blocked, Connection connection) throws SQLException {
        Configuration configuration = context.configuration();
        String position = configuration.topics().position();
        context.topics().problem(position, 0).ifPresent(problem -> {
            throw new KafkaException("Without " + position + " nothing can be published: " + problem);
        });
        Publication publication = new Publication(configuration.kafka(), configuration.name(), lease.shard(), position);
        try {
            ShardSession session = new ShardSession(context, lease.shard(), blocked, connection, publication);
            OptionalLong marked = ShardTable.batch(connection, lease);
            if (marked.isEmpty()) {
                session.close();
                return Optional.empty();
            }
            session.number = marked.getAsLong();
            session.markWhatWasPublished();
            return Optional.of(session);
        } catch (SQLException | RuntimeException e) {
            publication.close();
            throw e;
        }
    }

    private void markWhatWasPublished() throws SQLException {
        Optional<BatchNote> last = publication.lastNote();
        if (last.isEmpty() || last.get().number() == number) {
            return;
        }
        BatchNote note = last.get();
        if (note.number() == number + 1) {
            List<String> unmarked = rows.unmarked(note);
            if (unmarked.size() == note.seqs().size() && BatchNote.digest(unmarked) == note.digest()) {
                mark(note);
                context.counts().add(RelayMetric.RECOVERED, note.seqs().size());
                return;
            }
        }
        LOG.warn(
                "Shard {}: batch {} is the last in Kafka and does not follow batch {}, the last in the database, or has"
                        + " other events. Was one of them restored or exchanged? What is not marked is published.",
                shard,
                note.number(),
                number);
    }

    /**
     * Publishes the next events.
     *
     * @return whether there were any
     * @throws KafkaException if Kafka failed: the session is over
     * @throws SQLException if the database failed: the session is over
     */
    boolean publishNext() throws SQLException {
        Configuration.Batches most = context.configuration().batches();
        Instant now = context.clock().instant();
        List<EventRow> next = rows.read(blocked.at(now), most.mostRows(), most.mostBytes());
        if (next.isEmpty()) {
            return false;
        }
        Batch batch = Batch.of(next.subList(0, BatchNote.fitting(next)), context.records(), context.topics(), now);
        publish(batch);
        block(batch.failures());
        return true;
    }

    /** In one transaction, unless something is refused and it has to be found out what. */
    private void publish(Batch batch) throws SQLException {
        int most = batch.size();
        while (!batch.isEmpty()) {
            Batch.Part part = batch.first(most);
            BatchNote note = BatchNote.of(number + 1, part.rows());
            Map<Integer, Exception> refused = publication.publish(part.records(), note);
            if (refused.isEmpty()) {
                mark(note);
                count(part);
                batch.remove(part);
                most *= 2;
            } else if (refused.size() == 1 || refused.values().stream().allMatch(Refusals::isOfRecordAlone)) {
                batch.leaveOut(refused);
            } else {
                most = part.rows().size() / 2;
            }
        }
    }

    /** How many aggregates wait behind an event that failed. */
    int blockedAggregates() {
        return blocked.at(context.clock().instant()).size();
    }

    private void mark(BatchNote note) throws SQLException {
        int marked = rows.mark(note);
        if (marked != note.seqs().size()) {
            throw new SQLException("Of batch " + note.number() + " of shard " + shard + ", with "
                    + note.seqs().size() + " events, " + marked + " were marked: another instance has marked it, or"
                    + " rows were changed by hand.");
        }
        number = note.number();
    }

    private void count(Batch.Part part) {
        context.counts().add(RelayMetric.PUBLISHED, part.rows().size());
        context.counts().add(RelayMetric.BATCHES, 1);
        context.counts()
                .add(
                        RelayMetric.DEAD_LETTERS,
                        part.records().stream()
                                .filter(EventRecords::isDeadLetter)
                                .count());
    }

    private void block(Map<EventRow, String> failures) throws SQLException {
        if (failures.isEmpty()) {
            return;
        }
        rows.countAttempt(failures.keySet().stream().map(EventRow::seq).toList());
        context.counts().add(RelayMetric.FAILED_ATTEMPTS, failures.size());
        Instant now = context.clock().instant();
        failures.forEach((row, why) -> {
            AggregateKey aggregate = row.aggregate();
            blocked.block(aggregate, row.attempts() + 1, now);
            LOG.warn(
                    "Event {} of aggregate type {} was not published, attempt {}; its aggregate waits: {}",
                    row.id(),
                    aggregate.type(),
                    row.attempts() + 1,
                    why);
        });
    }

    @Override
    public void close() throws SQLException {
        try {
            publication.close();
        } finally {
            connection.close();
        }
    }
}
