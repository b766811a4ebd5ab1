package io.outboxcdc.monitor.read;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A Connect cluster to read.
 *
 * @param name as the configuration calls it
 * @param password never shown
 * @param connectors those whose offsets are wanted
 * @param kafka settings of Kafka's client, to see heartbeats and dead letters; empty when that is not wanted
 */
public record ConnectTarget(
        String name,
        URI url,
        Optional<String> user,
        Optional<String> password,
        Set<String> connectors,
        Map<String, String> kafka) {

    @Override
    public String toString() {
        return "Connect cluster " + name + " at " + url;
    }
}
