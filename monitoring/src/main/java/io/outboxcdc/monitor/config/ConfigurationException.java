package io.outboxcdc.monitor.config;

import java.util.List;

/** A configuration that cannot be used, with everything that is wrong with it. */
public final class ConfigurationException extends Exception {

    private static final long serialVersionUID = 1;

    ConfigurationException(String file, List<String> problems) {
        super("The configuration " + file + " cannot be used:\n  " + String.join("\n  ", problems));
    }
}
