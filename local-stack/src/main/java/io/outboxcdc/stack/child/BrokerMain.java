package io.outboxcdc.stack.child;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Formats the broker's storage unless that has been done, then runs the broker. One JVM does both, since a second
 * one for Kafka's storage tool would cost a second of start time.
 */
public final class BrokerMain {

    private BrokerMain() {}

    /**
     * Runs until the process is told to end.
     *
     * @param args the broker's properties file, the cluster id
     */
    public static void main(String[] args) {
        String properties = args[0];
        String clusterId = args[1];

        int exitCode = StorageTool.execute(
                new String[] {"format", "--config", properties, "--cluster-id", clusterId, "--ignore-formatted"},
                System.out);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
        Kafka.main(new String[] {properties});
    }
}
