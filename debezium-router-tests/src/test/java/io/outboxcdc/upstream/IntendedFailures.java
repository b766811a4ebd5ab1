package io.outboxcdc.upstream;

import java.util.Map;

/**
 * Debezium's tests that ours does not pass, by name and with the reason: each pins what the page on differences from
 * Debezium's router calls a fault.
 */
final class IntendedFailures {

    static final Map<String, String> OF_RECORDS = Map.of(
            "canSetTimestampByUserDefinedConfiguration",
            "wants the record's time to be in the year 2420, which a broker refuses, so that the task would stop; ours takes"
                    + " the time of the change instead",
            "canSetSchemaVersionWhenMoreThanPayloadIsInEnvelope",
            "wants the very same schema object for records that bring a new table schema each: a cache by version alone,"
                    + " which makes every record fail once the table is altered; ours gives equal schemas",
            "shouldExpandJSONPayloadWithEmptyArrayAndRemoveThatArray",
            "wants an empty array of the payload to vanish without an option that asks for it; ours keeps it");

    static final Map<String, String> OF_THE_CONNECTOR = Map.of(
            "shouldNotProduceTombstoneEventForNullPayload",
            "wants a NULL payload to be published as a null value, which most converters write as a tombstone although the"
                    + " option for tombstones is off; ours makes it a dead letter");

    private IntendedFailures() {}
}
