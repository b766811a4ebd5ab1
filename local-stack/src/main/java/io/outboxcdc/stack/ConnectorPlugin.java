package io.outboxcdc.stack;

/**
 * A class that a worker found on its plugin path.
 *
 * @param type such as {@code source}, {@code transformation} or {@code converter}
 * @param version empty when the plugin does not tell
 */
public record ConnectorPlugin(String className, String type, String version) {}
