package io.outboxcdc.router;

import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * A record's value that is more than the payload column as it is: expanded JSON, an envelope, or both.
 *
 * @param besidePayload what is written beside the payload's text, in bytes before conversion: the envelope's columns, and
 *                      the schema, since JsonConverter writes it with each value
 */
record StructuredValue(Schema schema, Object value, long besidePayload) {

    static boolean isWanted(OutboxTable table, Settings settings) {
        return settings.expansion().isPresent() || table.envelope().isPresent();
    }

    /**
     * @param payload never null: that makes a tombstone or a dead letter
     * @throws NotExpressibleException if the payload is to be expanded and cannot be
     */
    static StructuredValue of(OutboxEvent event, Object payload, String aggregateType, Settings settings)
            throws NotExpressibleException {
        StructuredValue value = new StructuredValue(event.table().payload().schema(), payload, 0);
        if (settings.expansion().isPresent() && payload instanceof String text) {
            JsonExpansion.Expanded expanded = settings.expansion().get().expand(text);
            value = new StructuredValue(
                    expanded.schema(), expanded.value(), value.besidePayload + expanded.schemaBytes());
        }
        if (event.table().envelope().isPresent()) {
            Struct around =
                    event.table().envelope().get().around(value.schema, value.value, event.row(), aggregateType);
            value = new StructuredValue(
                    around.schema(), around, value.besidePayload + PayloadEnvelope.sizeBesidePayload(around));
        }
        return value;
    }
}
