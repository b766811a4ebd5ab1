package io.outboxcdc.stack;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.Uuid;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;

/** One broker that is its own controller (KRaft). */
final class KafkaBroker {

    static final String NAME = "Kafka";
    static final String ARCHIVE = "kafka";
    private static final int PROBE_MS = 1_000;

    private final Path folder;
    private final Ports ports;
    private final JavaCommand java;
    private final JvmProfile jvms;
    private final String clusterId = Uuid.randomUuid().toString();

    KafkaBroker(Path workFolder, Ports ports, JavaCommand java, JvmProfile jvms) {
        this.folder = folder(workFolder);
        this.ports = ports;
        this.java = java;
        this.jvms = jvms;
    }

    static Path folder(Path workFolder) {
        return workFolder.resolve("kafka");
    }

    String bootstrapServers() {
        return "127.0.0.1:" + ports.kafka();
    }

    ChildProcess process(Path log, Guardian guardian) {
        Path properties = folder.resolve("broker.properties");
        PropertiesFile.write(properties, settings());
        List<String> command = new ArrayList<>(
                java.running("io.outboxcdc.stack.child.BrokerMain", ARCHIVE, folder, jvms.brokerHeap(), jvms.flags()));
        command.add(properties.toString());
        command.add(clusterId);
        Part part = new Part(NAME, () -> command, Map.of(), folder, log, this::answers, "TERM", "KILL");
        return new ChildProcess(part, guardian);
    }

    private Properties settings() {
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                "1",
                "listeners",
                "PLAINTEXT://%s,CONTROLLER://127.0.0.1:%d".formatted(bootstrapServers(), ports.kafkaController()),
                "advertised.listeners",
                "PLAINTEXT://" + bootstrapServers(),
                "controller.listener.names",
                "CONTROLLER",
                "controller.quorum.voters",
                "1@127.0.0.1:" + ports.kafkaController(),
                "log.dirs",
                folder.resolve("data").toString()));
        settings.putAll(Map.of(
                "num.partitions", "3",
                "offsets.topic.num.partitions", "3",
                "offsets.topic.replication.factor", "1",
                "transaction.state.log.num.partitions", "3",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "share.coordinator.state.topic.num.partitions", "1",
                "share.coordinator.state.topic.replication.factor", "1",
                "share.coordinator.state.topic.min.isr", "1"));
        // Consumers and the worker join at once, and may be given up early.
        settings.putAll(Map.of("group.initial.rebalance.delay.ms", "0", "group.min.session.timeout.ms", "1000"));
        // A broker started again may register only when the session of its former self is over; default 9 s.
        settings.putAll(Map.of("broker.session.timeout.ms", "3000", "broker.heartbeat.interval.ms", "500"));
        return settings;
    }

    private boolean answers() {
        Map<String, Object> client = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers(),
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                PROBE_MS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                PROBE_MS);
        if (!Ports.accepts(ports.kafka())) {
            return false;
        }
        try (Admin admin = Admin.create(client)) {
            // A broker that is fenced, as at its start, is not among the nodes.
            return !admin.describeCluster(new DescribeClusterOptions().timeoutMs(PROBE_MS))
                    .nodes()
                    .get()
                    .isEmpty();
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
