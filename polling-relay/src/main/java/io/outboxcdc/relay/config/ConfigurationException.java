package io.outboxcdc.relay.config;

import java.util.List;

/** A configuration, or a database, that cannot be used, with everything that is wrong with it. */
public final class ConfigurationException extends Exception {

    private static final long serialVersionUID = 1;

    /**
     * All of it.
     *
     * @param what the file or the database
     */
    public ConfigurationException(String what, List<String> problems) {
        super(what + " cannot be used:\n  " + String.join("\n  ", problems));
    }
}
