package io.outboxcdc.stack;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** The way in which Connect's exactly-once source task uses its producer: make a topic, send, send the offset, commit. */
record ExactlyOnceTask(String bootstrapServers) {

    private static final String VERSION = "transaction.version";

    /** One transaction after the other, each with the first record of a new topic. */
    void commitToNewTopics(int transactions) throws InterruptedException, ExecutionException {
        String run = UUID.randomUUID().toString();
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "transactional.id",
                run,
                "max.in.flight.requests.per.connection",
                1);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            create(admin, "offsets-" + run);
            producer.initTransactions();
            for (int number = 0; number < transactions; number++) {
                String topic = "event-%s-%d".formatted(run, number);
                create(admin, topic);
                producer.beginTransaction();
                Future<RecordMetadata> event = producer.send(new ProducerRecord<>(topic, "key", "event"));
                Future<RecordMetadata> offset =
                        producer.send(new ProducerRecord<>("offsets-" + run, "task", Integer.toString(number)));
                producer.commitTransaction();
                event.get();
                offset.get();
            }
        }
    }

    int transactionVersion() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            FinalizedVersionRange version = admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get(VERSION);
            return version == null ? 0 : version.maxVersionLevel();
        }
    }

    void changeTransactionVersion(int version, UpgradeType direction) throws InterruptedException, ExecutionException {
        FeatureUpdate update = new FeatureUpdate((short) version, direction);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.updateFeatures(Map.of(VERSION, update), new UpdateFeaturesOptions())
                    .all()
                    .get();
        }
    }

    private static void create(Admin admin, String topic) throws InterruptedException, ExecutionException {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
}
