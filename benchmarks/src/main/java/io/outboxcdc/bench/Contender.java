package io.outboxcdc.bench;

import io.debezium.transforms.outbox.EventRouter;
import io.outboxcdc.router.OutboxRouter;
import org.apache.kafka.connect.source.SourceRecord;

import java.util.Map;

/** The routers that are measured on the records of a case. */
public enum Contender {
    OURS("our") {
        @Override
        EventRouter<SourceRecord> router(RouterCase work) {
            return configured(new OutboxRouter<>(), work.oursOptions);
        }
    },
    STOCK("stock") {
        @Override
        EventRouter<SourceRecord> router(RouterCase work) {
            return configured(new EventRouter<>(), work.stockOptions);
        }
    };

    final String label;

    Contender(String label) {
        this.label = label;
    }

    abstract EventRouter<SourceRecord> router(RouterCase work);

    private static EventRouter<SourceRecord> configured(EventRouter<SourceRecord> router, Map<String, String> options) {
        router.configure(options);
        return router;
    }
}
