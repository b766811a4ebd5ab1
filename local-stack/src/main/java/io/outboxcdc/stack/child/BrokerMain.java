package io.outboxcdc.stack.child;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Formats the broker's storage unless that has been done, then runs the broker. One JVM does both, since a second
 * one for Kafka's storage tool would cost a second of start time.
 */
public final class BrokerMain {

    /**
     * With version 2 (KIP-890) a producer's commit can overtake its records, and an exactly-once task then fails;
     * {@code docs/decisions/0007} has the whole story. Kafka's own default is 2.
     */
    private static final String TRANSACTIONS = "transaction.version=1";

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
                new String[] {
                    "format",
                    "--config",
                    properties,
                    "--cluster-id",
                    clusterId,
                    "--ignore-formatted",
                    "--feature",
                    TRANSACTIONS
                },
                System.out);
        if (exitCode != 0) {
            System.exit(exitCode);
        }
        Kafka.main(new String[] {properties});
    }
}
