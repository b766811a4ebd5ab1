package io.outboxcdc.relay.shard;

import io.outboxcdc.relay.config.Configuration;
import io.outboxcdc.relay.database.OutboxLayout;
import io.outboxcdc.relay.publish.EventRecords;
import io.outboxcdc.relay.publish.Topics;
import io.outboxcdc.relay.serve.Counts;

import java.time.Clock;

/** What all shards of an instance share. */
public record RelayContext(
        Configuration configuration,
        OutboxLayout layout,
        EventRecords records,
        Topics topics,
        Counts counts,
        Clock clock) {}
