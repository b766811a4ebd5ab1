package io.outboxcdc.stack;

import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;

/** Talks to the parts of a stack as their users do. */
record Probe(LocalStack stack) {

    void execute(String sql) throws SQLException {
        try (Connection connection = stack.postgres().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String query(String sql) throws SQLException {
        try (Connection connection = stack.postgres().connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    void produce(String topic, String value) throws InterruptedException, ExecutionException {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", stack.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }

    /** The values of a topic, as soon as there are {@code count} of them. */
    List<String> consume(String topic, int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                stack.bootstrapServers(),
                "group.id",
                "probe-" + System.nanoTime(),
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
            });
        }
        return values;
    }
}
