package io.outboxcdc.monitor;

import io.outboxcdc.monitor.alert.AlertRule;
import io.outboxcdc.monitor.config.ConfigurationException;
import io.outboxcdc.monitor.config.ConfigurationReader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Starts the monitor from its configuration file. */
public final class Main {

    private static final int USAGE = 2;

    private Main() {}

    /** Takes one argument, the configuration file, and runs until it is stopped. */
    @SuppressWarnings("SystemOut") // before there is a log
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: java -jar slot-monitor.jar CONFIGURATION-FILE");
            System.exit(USAGE);
        }
        try {
            SlotMonitor monitor = SlotMonitor.start(
                    ConfigurationReader.read(Path.of(arguments[0]), System.getenv(), AlertRule.names()));
            Runtime.getRuntime().addShutdownHook(new Thread(monitor::close, "slot-monitor-shutdown"));
            System.out.println("The slot monitor runs at " + monitor.url());
            new CountDownLatch(1).await();
        } catch (ConfigurationException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
