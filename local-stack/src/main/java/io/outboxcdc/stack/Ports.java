package io.outboxcdc.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The ports of one stack, all on the loopback address. Chosen ones lie below the ranges from which Linux (32768) and
 * macOS (49152) number outgoing connections, so that none of these takes a port between choice and use, or while a
 * part is down for a restart.
 */
record Ports(int postgres, int kafka, int kafkaController, int connect) {

    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_767;
    private static final int CONNECT_MS = 500;
    private static final int ATTEMPTS = 1_000;

    /**
     * The ports that were asked for, free ones for the rest.
     *
     * @throws StackException if any that was asked for is taken; the message names all of them
     */
    static Ports choose(StackOptions options) {
        List<String> problems = new ArrayList<>();
        OptionalInt postgres = options.givenPostgres().isPresent() ? OptionalInt.empty() : options.postgresPort();
        check("PostgreSQL", postgres, problems);
        check("Kafka", options.kafkaPort(), problems);
        check("Kafka Connect", options.connectPort(), problems);
        if (!problems.isEmpty()) {
            throw new StackException(
                    String.join("; ", problems) + ". Stop what listens there, or ask for another port or for none.");
        }
        Set<Integer> used = new HashSet<>();
        postgres.ifPresent(used::add);
        options.kafkaPort().ifPresent(used::add);
        options.connectPort().ifPresent(used::add);
        return new Ports(
                postgres.orElseGet(() -> free(used)),
                options.kafkaPort().orElseGet(() -> free(used)),
                free(used),
                options.connectPort().orElseGet(() -> free(used)));
    }

    /** Whether something listens on the port. */
    static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void check(String part, OptionalInt asked, List<String> problems) {
        if (asked.isPresent() && !isFree(asked.getAsInt())) {
            problems.add("Port %d for %s is taken".formatted(asked.getAsInt(), part));
        }
    }

    private static int free(Set<Integer> used) {
        RandomGenerator random = RandomGenerator.getDefault();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = random.nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port) && used.add(port)) {
                return port;
            }
        }
        throw new StackException("No free port found between %d and %d.".formatted(LOWEST, HIGHEST));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
