package io.outboxcdc.client.inbox;

import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings of the Kafka clients: those of the application, and those that the promise rests on. */
final class ConsumerSettings {

    /** Set here, and refused when the application wants otherwise. */
    private static final Map<String, String> FIXED = Map.of(
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");

    private static final List<String> OURS =
            List.of(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    private ConsumerSettings() {}

    static List<String> problems(Map<String, Object> given) {
        List<String> problems = new ArrayList<>();
        if (!given.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            problems.add("bootstrap.servers is missing");
        }
        FIXED.forEach((name, value) -> {
            if (given.containsKey(name) && !value.equals(given.get(name).toString())) {
                problems.add(name + " is " + given.get(name) + "; it must be " + value);
            }
        });
        OURS.stream()
                .filter(given::containsKey)
                .forEach(name -> problems.add(name + " is given; handlers get bytes, so leave it out"));
        return problems;
    }

    /** The group is the consumer and a new group begins at the oldest record, unless the application says otherwise. */
    static Map<String, Object> forConsumer(Map<String, Object> given, String consumer) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, consumer);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.putAll(given);
        settings.putAll(FIXED);
        return settings;
    }

    /** What both clients understand (where the brokers are and how to log in there), and the safest way to send. */
    static Map<String, Object> forProducer(Map<String, Object> given) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.keySet().retainAll(ProducerConfig.configNames());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        return settings;
    }
}
