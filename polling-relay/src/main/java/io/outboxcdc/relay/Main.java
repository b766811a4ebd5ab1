package io.outboxcdc.relay;

import io.outboxcdc.relay.config.ConfigurationException;
import io.outboxcdc.relay.config.ConfigurationReader;
import org.apache.kafka.common.KafkaException;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;

/** Starts the relay from its configuration file. */
public final class Main {

    private static final int USAGE = 2;

    private Main() {}

    /** Takes one argument, the configuration file, and runs until it is stopped. */
    @SuppressWarnings("SystemOut") // before there is a log
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: java -jar polling-relay.jar CONFIGURATION-FILE");
            System.exit(USAGE);
        }
        try {
            PollingRelay relay = PollingRelay.start(ConfigurationReader.read(Path.of(arguments[0]), System.getenv()));
            Runtime.getRuntime().addShutdownHook(new Thread(relay::close, "relay-shutdown"));
            System.out.println("The relay runs; its metrics are at " + relay.url() + "metrics");
            new CountDownLatch(1).await();
        } catch (ConfigurationException | IOException | SQLException | KafkaException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
