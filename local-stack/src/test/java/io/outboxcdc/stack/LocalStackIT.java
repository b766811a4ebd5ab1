package io.outboxcdc.stack;

import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** One stack for all tests, which leave it running. Guards what each fault test of the pipeline builds on. */
class LocalStackIT {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private static LocalStack stack;
    private static Probe probe;

    @BeforeAll
    static void start() {
        stack = LocalStack.start(StackOptions.of(Home.FOLDER), StartupProgress.SILENT);
        probe = new Probe(stack);
    }

    @AfterAll
    static void stop() {
        Path folder = stack.workFolder();
        stack.close();
        assertThat(folder).doesNotExist();
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    void allPartsAnswer() throws Exception {
        probe.produce("answers", "hello");

        assertThat(probe.query("SHOW wal_level")).isEqualTo("logical");
        assertThat(probe.consume("answers", 1)).containsExactly("hello");
        assertThat(stack.connect().plugins())
                .extracting(ConnectorPlugin::className)
                .contains("io.debezium.connector.postgresql.PostgresConnector");
    }

    @Test
    void postgresAsksForThePassword() {
        PostgresAddress real = stack.postgres();
        PostgresAddress wrong =
                new PostgresAddress(real.host(), real.port(), real.database(), real.user(), "not the password");

        assertThatThrownBy(wrong::connect)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void listensOnLoopbackOnly() throws SocketException {
        List<Integer> ports = List.of(
                stack.postgres().port(),
                URI.create("kafka://" + stack.bootstrapServers()).getPort(),
                stack.connectUrl().getPort());

        Stream<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress());

        assertThat(others).allSatisfy(address -> assertThat(ports).noneMatch(port -> accepts(address, port)));
    }

    @Test
    void postgresKeepsItsDataOverAKill() throws Exception {
        StackProcess postgres = stack.postgresProcess().orElseThrow();
        probe.execute("CREATE TABLE kept (v text)");
        probe.execute("INSERT INTO kept VALUES ('still here')");
        long before = postgres.pid();

        postgres.kill();
        assertThat(postgres.isAlive()).isFalse();
        assertThatThrownBy(() -> probe.query("SELECT 1")).isInstanceOf(SQLException.class);
        postgres.start();

        assertThat(postgres.pid()).isNotEqualTo(before);
        assertThat(probe.query("SELECT v FROM kept")).isEqualTo("still here");
    }

    @Test
    void kafkaKeepsItsDataOverAKill() throws Exception {
        probe.produce("kept", "still here");

        stack.kafkaProcess().kill();
        assertThat(stack.kafkaProcess().isAlive()).isFalse();
        stack.kafkaProcess().start();

        assertThat(probe.consume("kept", 1)).containsExactly("still here");
        await().atMost(BOUND).until(stack.connect()::isReady);
    }

    @Test
    void stopsPartsInOrderAndStartsThemAgain() throws Exception {
        StackProcess postgres = stack.postgresProcess().orElseThrow();

        postgres.stop();
        assertThat(postgres.isAlive()).isFalse();
        assertThat(Files.readString(postgres.log())).contains("received fast shutdown request");
        postgres.start();

        assertThat(probe.query("SELECT 1")).isEqualTo("1");
        assertThatThrownBy(postgres::start).isInstanceOf(StackException.class).hasMessageContaining("running already");
    }

    @Test
    void frozenPostgresAnswersWhenThawed() throws Exception {
        StackProcess postgres = stack.postgresProcess().orElseThrow();

        postgres.freeze();
        assertThat(states(postgres)).isSubsetOf(ProcessState.STOPPED, ProcessState.ZOMBIE);
        assertThat(postgres.isAlive()).isTrue();
        postgres.thaw();

        assertThat(probe.query("SELECT 1")).isEqualTo("1");
    }

    @Test
    void frozenWorkerIsNotReadyUntilThawed() {
        stack.connectProcess().freeze();
        boolean readyWhenFrozen = stack.connect().isReady();
        stack.connectProcess().thaw();

        assertThat(readyWhenFrozen).isFalse();
        await().atMost(BOUND).until(stack.connect()::isReady);
    }

    @Test
    void frozenBrokerTakesRecordsWhenThawed() throws Exception {
        stack.kafkaProcess().freeze();
        assertThat(states(stack.kafkaProcess())).isSubsetOf(ProcessState.STOPPED, ProcessState.ZOMBIE);
        stack.kafkaProcess().thaw();

        probe.produce("thawed", "hello");
        assertThat(probe.consume("thawed", 1)).containsExactly("hello");
        await().atMost(BOUND).until(stack.connect()::isReady);
    }

    @Test
    void aCommitWaitsForItsRecordsHoweverSlowTheProducersThreadIs() throws Exception {
        ExactlyOnceTask task = new ExactlyOnceTask(stack.bootstrapServers());

        try (SlowSender slow = SlowSender.start()) {
            task.commitToNewTopics(30);
        }

        assertThat(task.transactionVersion()).isEqualTo(1);
    }

    /** Why the broker does not run Kafka's default. When this fails, Kafka has mended it: take version 2 again. */
    @Test
    void withTransactionVersionTwoACommitStillOvertakesItsRecords() throws Exception {
        ExactlyOnceTask task = new ExactlyOnceTask(stack.bootstrapServers());

        task.changeTransactionVersion(2, UpgradeType.UPGRADE);
        try (SlowSender slow = SlowSender.start()) {
            assertThatThrownBy(() -> task.commitToNewTopics(500)).isInstanceOf(InvalidTxnStateException.class);
        } finally {
            task.changeTransactionVersion(1, UpgradeType.SAFE_DOWNGRADE);
        }
    }

    private static boolean accepts(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The kernel's state letters of a process and all beneath it. */
    private static List<Character> states(StackProcess process) {
        ProcessHandle handle = ProcessHandle.of(process.pid()).orElseThrow();
        return Stream.concat(Stream.of(handle), handle.descendants())
                .flatMap(one -> ProcessState.of(one.pid()).stream())
                .toList();
    }
}
