package io.outboxcdc.stack;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * PostgreSQL (its own, or one that is given), a Kafka broker and a Kafka Connect worker, each a child process that
 * listens on the loopback address only. They end with {@link #close()}, and else with this JVM, whatever ends it.
 *
 * <p>The worker finds the database in its environment, as the shipped connector configurations expect it:
 * {@code OUTBOX_DB_HOST}, {@code OUTBOX_DB_PORT}, {@code OUTBOX_DB_NAME}, {@code OUTBOX_DB_USER}
 * ({@value #CDC_USER}) and {@code OUTBOX_DB_PASSWORD}. The role is not created here. Thread-safe.
 */
public final class LocalStack implements AutoCloseable {

    /** The role that the connector uses in a database of the stack's own. */
    public static final String CDC_USER = "outbox_cdc";

    private static final int ATTEMPTS = 3;

    private final WorkFolder workFolder;
    private final Guardian guardian;
    private final PostgresAddress postgres;
    private final PostgresAddress connectorsView;
    private final Optional<PostgresServer> server;
    private final Optional<ChildProcess> postgresProcess;
    private final KafkaBroker broker;
    private final ChildProcess kafkaProcess;
    private final ConnectWorker worker;
    private final ChildProcess connectProcess;
    private final Thread shutdownHook = new Thread(this::takeDown, "outbox-stack-shutdown");
    private final Startup startup;
    private boolean down;

    private LocalStack(
            StackOptions options,
            RuntimeFolder runtime,
            JavaCommand java,
            Ports ports,
            WorkFolder workFolder,
            Guardian guardian,
            StartupProgress progress) {
        this.startup = new Startup(progress);
        Path path = workFolder.path();
        this.workFolder = workFolder;
        this.guardian = guardian;
        server = options.givenPostgres().isPresent()
                ? Optional.empty()
                : Optional.of(new PostgresServer(runtime, path, ports.postgres(), guardian));
        postgresProcess = server.map(own -> own.process(workFolder.log("postgres")));
        postgres = server.map(PostgresServer::address)
                .orElseGet(() -> options.givenPostgres().orElseThrow());
        connectorsView = server.isEmpty()
                ? postgres
                : new PostgresAddress(
                        postgres.host(), postgres.port(), postgres.database(), CDC_USER, Secrets.random());

        broker = new KafkaBroker(path, ports, java, options.jvms());
        kafkaProcess = broker.process(workFolder.log("kafka"), guardian);
        worker = new ConnectWorker(path, runtime, ports, java, options.jvms(), options.workerSettings());
        connectProcess = worker.process(workFolder.log("connect"), guardian, broker.bootstrapServers(), connectorsView);
    }

    /**
     * Starts all parts, side by side, and returns when each answers.
     *
     * @throws StackException if that cannot be; then nothing is left running
     */
    public static LocalStack start(StackOptions options, StartupProgress progress) {
        RuntimeFolder runtime = RuntimeFolder.in(options.home());
        return start(options, runtime, JavaCommand.usual(runtime), progress);
    }

    static LocalStack start(StackOptions options, RuntimeFolder runtime, JavaCommand java, StartupProgress progress) {
        options.givenPostgres().ifPresent(GivenPostgres::check);
        for (int attempt = 1; ; attempt++) {
            try {
                return startOnce(options, runtime, java, progress);
            } catch (StackException e) {
                if (!e.portTaken()
                        || attempt == ATTEMPTS
                        || options.workFolder().isPresent()) {
                    throw e;
                }
            }
        }
    }

    private static LocalStack startOnce(
            StackOptions options, RuntimeFolder runtime, JavaCommand java, StartupProgress progress) {
        Ports ports = Ports.choose(options);
        WorkFolder folder = WorkFolder.open(options.workFolder());
        Guardian guardian = new Guardian(folder, PostgresServer.dataFolder(folder.path()));
        LocalStack stack;
        try {
            stack = new LocalStack(options, runtime, java, ports, folder, guardian, progress);
        } catch (RuntimeException e) {
            folder.discard();
            guardian.close();
            throw e;
        }
        try {
            stack.startParts();
            return stack;
        } catch (RuntimeException e) {
            boolean stoppedMeanwhile = stack.isDown();
            stack.close();
            throw stoppedMeanwhile ? new StackException("The stack was stopped while it started.", e) : e;
        }
    }

    private void startParts() {
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        startup.add(kafkaProcess.name(), kafkaProcess::start);
        startup.add(connectProcess.name(), connectProcess::start);
        postgresProcess.ifPresent(process -> startup.add(process.name(), () -> {
            server.orElseThrow().initialise();
            process.start();
        }));
        startup.run();
        startup.cancel();
    }

    /** The database, entered as its superuser, or as the given address says. */
    public PostgresAddress postgres() {
        return postgres;
    }

    /** The password that the role {@value #CDC_USER} has to be given; with a given PostgreSQL, that of its address. */
    public String cdcPassword() {
        return connectorsView.password();
    }

    /** Where Kafka's clients begin. */
    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** Where the REST interface of Kafka Connect is. */
    public URI connectUrl() {
        return worker.url();
    }

    /** The REST interface of Kafka Connect. */
    public ConnectRest connect() {
        return worker.rest();
    }

    /** The PostgreSQL server; empty when one was given. */
    public Optional<StackProcess> postgresProcess() {
        return postgresProcess.map(process -> process);
    }

    /** The broker. */
    public StackProcess kafkaProcess() {
        return kafkaProcess;
    }

    /** The Connect worker. */
    public StackProcess connectProcess() {
        return connectProcess;
    }

    /** The folder with data and logs. */
    public Path workFolder() {
        return workFolder.path();
    }

    /** Ends all parts, and deletes the work folder if it is a temporary one. Without effect the second time. */
    @Override
    public void close() {
        takeDown();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is on its way down; the hook finds nothing left to do.
            return;
        }
    }

    private synchronized boolean isDown() {
        return down;
    }

    private synchronized void takeDown() {
        if (down) {
            return;
        }
        down = true;
        guardian.refuseLaunches();
        startup.cancel();
        if (workFolder.temporary() && server.isPresent()) {
            // Nobody will read what they could still write.
            connectProcess.kill();
            kafkaProcess.kill();
        } else {
            connectProcess.stop();
            kafkaProcess.stop();
        }
        postgresProcess.ifPresent(ChildProcess::stop);
        guardian.killRest();
        startup.awaitEnd();
        SharedMemory.free(PostgresServer.dataFolder(workFolder.path()));
        workFolder.discard();
        guardian.close();
    }
}
