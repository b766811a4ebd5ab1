package io.outboxcdc.monitor;

import io.outboxcdc.monitor.act.Actions;
import io.outboxcdc.monitor.sample.Sources;

import java.io.IOException;
import java.sql.SQLException;

/** Actions go over the connections that samples are read over. */
record ActionTargets(Sources sources) implements Actions.Targets {

    @Override
    public void restartFailed(String cluster, String connector) throws IOException {
        sources.restartFailed(cluster, connector);
    }

    @Override
    public void stop(String cluster, String connector) throws IOException {
        sources.stop(cluster, connector);
    }

    @Override
    public void emitHeartbeat(String database) throws SQLException {
        sources.emitHeartbeat(database);
    }
}
