package io.outboxcdc.bench;

import java.util.Map;

/**
 * One way to use the routers. Each case gives both the same records; options differ only where the routers have different
 * names for the same work.
 */
@SuppressWarnings("ImmutableEnumChecker") // Fields are immutable; the annotation to say so would be a dependency.
public enum RouterCase {
    DEFAULT_OPTIONS(
            "default-options",
            "no option set, 240 bytes of jsonb",
            new RowShape("Order", Payloads.ORDER, null),
            Map.of(),
            Map.of()),
    HEADERS_COLUMN(
            "headers-column",
            "jsonb headers of three members: ours makes three headers, the stock router copies the column as one",
            new RowShape("Order", Payloads.ORDER, Payloads.HEADERS),
            Map.of("table.field.event.headers", "headers"),
            Map.of("table.fields.additional.placement", "headers:header")),
    SMALL_PAYLOAD(
            "small-payload",
            "no option set, 20 bytes",
            new RowShape("Order", Payloads.SMALL, null),
            Map.of(),
            Map.of()),
    LARGE_PAYLOAD(
            "large-payload", "no option set, 64 kB", new RowShape("Order", Payloads.LARGE, null), Map.of(), Map.of()),
    EXPANDED_PAYLOAD(
            "expanded-payload",
            "table.expand.json.payload, a document of 4 kB",
            new RowShape("Order", Payloads.DOCUMENT, null),
            Map.of("table.expand.json.payload", "true"),
            Map.of("table.expand.json.payload", "true")),
    DEAD_LETTER(
            "dead-letter",
            "an aggregate type that makes no legal topic: ours writes a dead letter, the stock router hands on a record"
                    + " that no broker takes",
            new RowShape("Order Item", Payloads.ORDER, null),
            Map.of(),
            Map.of());

    /** The name in reports and on the command line. */
    public final String label;

    /** What is measured, in a few words. */
    public final String description;

    final RowShape row;
    final Map<String, String> oursOptions;
    final Map<String, String> stockOptions;

    RouterCase(
            String label,
            String description,
            RowShape row,
            Map<String, String> oursOptions,
            Map<String, String> stockOptions) {
        this.label = label;
        this.description = description;
        this.row = row;
        this.oursOptions = oursOptions;
        this.stockOptions = stockOptions;
    }
}
