package io.outboxcdc.it.inbox;

import com.zaxxer.hikari.HikariDataSource;
import io.outboxcdc.it.TestHome;
import io.outboxcdc.stack.ConnectorStatus;
import io.outboxcdc.stack.GivenDatabaseConsent;
import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StartupProgress;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** The pipeline, a pool as a consumer has one, a producer, and what a test asks of database and broker. */
final class InboxStack implements AutoCloseable {

    private static final String EFFECTS = """
            CREATE TABLE IF NOT EXISTS public.effect (
                seq bigint GENERATED ALWAYS AS IDENTITY, consumer text, key text, message_id text, n int)""";

    private final OutboxPipeline pipeline;
    private final HikariDataSource pool;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Queue<Future<RecordMetadata>> sent = new ConcurrentLinkedQueue<>();

    private InboxStack(OutboxPipeline pipeline) {
        this.pipeline = pipeline;
        Properties kafka = new Properties();
        kafka.put("bootstrap.servers", pipeline.stack().bootstrapServers());
        pool = pool(jdbcUrl());
        admin = Admin.create(kafka);
        // One batch at a time, as Connect's producers have it. With several the first batch to a partition that was
        // just made can be refused while the second is taken; the first is then out of sequence until it expires.
        kafka.put("max.in.flight.requests.per.connection", "1");
        producer = new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer());
    }

    static InboxStack start() throws SQLException {
        InboxStack stack = new InboxStack(
                OutboxPipeline.start(TestHome.options(), GivenDatabaseConsent.NONE, StartupProgress.SILENT));
        stack.execute(EFFECTS);
        // A process that hangs must not hold its claims for ever.
        stack.execute("ALTER ROLE postgres SET idle_in_transaction_session_timeout = '20s'");
        return stack;
    }

    static HikariDataSource pool(String jdbcUrl) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl + "&reWriteBatchedInserts=true");
        pool.setMaximumPoolSize(8);
        pool.setConnectionTimeout(2_000);
        pool.setInitializationFailTimeout(-1);
        return pool;
    }

    LocalStack parts() {
        return pipeline.stack();
    }

    /** Connect does not start a failed task again: whoever waits for it may stop. */
    void throwIfPipelineFailed() {
        parts().connect().status(OutboxPipeline.CONNECTOR).ifPresent(ConnectorStatus::throwIfFailed);
    }

    HikariDataSource pool() {
        return pool;
    }

    String jdbcUrl() {
        return pipeline.stack().postgres().jdbcUrl();
    }

    String bootstrapServers() {
        return pipeline.stack().bootstrapServers();
    }

    void createTopic(String name, int partitions) throws InterruptedException, ExecutionException {
        admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                .all()
                .get();
    }

    /** An event as the router would publish it; its payload is the number. */
    void send(String topic, String key, int number) {
        send(topic, key, id(key, number), Integer.toString(number));
    }

    static String id(String key, int number) {
        return key + "/" + number;
    }

    void send(String topic, @Nullable String key, @Nullable String id, @Nullable String value) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topic, key == null ? null : key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
        if (id != null) {
            record.headers().add("id", id.getBytes(UTF_8));
        }
        send(record);
    }

    void send(ProducerRecord<byte[], byte[]> record) {
        sent.add(producer.send(record));
    }

    /** Returns when everything sent is with the broker, and fails when something is not. */
    void flush() {
        producer.flush();
        List<Future<RecordMetadata>> all = new ArrayList<>();
        for (Future<RecordMetadata> each = sent.poll(); each != null; each = sent.poll()) {
            all.add(each);
        }
        for (Future<RecordMetadata> each : all) {
            try {
                each.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException("A record was not sent.", e);
            }
        }
    }

    /** How many records of a topic lie behind what a group has committed. */
    long lag(String group, String topic) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        int partitions = requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions()
                .size();
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        long lag = 0;
        for (var end : admin.listOffsets(ends).all().get().entrySet()) {
            OffsetAndMetadata offset = committed.get(end.getKey());
            lag += end.getValue().offset() - (offset == null ? 0 : offset.offset());
        }
        return lag;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column as text. */
    List<String> query(String sql) throws SQLException {
        try (Connection connection = pipeline.stack().postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (row.next()) {
                values.add(String.valueOf(row.getString(1)));
            }
            return values;
        }
    }

    /** The numbers of a key in the order of their effects. */
    List<String> effects(String consumer, String key) throws SQLException {
        return query("SELECT n FROM effect WHERE consumer = '" + consumer + "' AND key = '" + key + "' ORDER BY seq");
    }

    long effects(String consumer) throws SQLException {
        return Long.parseLong(query("SELECT count(*) FROM effect WHERE consumer = '" + consumer + "'")
                .get(0));
    }

    /** Keys whose effects are not 1, 2, 3 ... in this order, each once. */
    List<String> keysOutOfOrder(String consumer) throws SQLException {
        return query(
                "SELECT DISTINCT key FROM (SELECT key, n, row_number() OVER (PARTITION BY key ORDER BY seq) AS place"
                        + " FROM effect WHERE consumer = '" + consumer + "') e WHERE n <> place");
    }

    List<String> waiting(String consumer) throws SQLException {
        return query("SELECT message_id FROM inbox_message WHERE consumer = '" + consumer + "' ORDER BY seq");
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
        pool.close();
        pipeline.close();
    }
}
