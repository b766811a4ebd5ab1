package io.outboxcdc.router;

import java.util.Locale;

/**
 * One entry of {@code table.fields.additional.placement}.
 *
 * @param column the column that is placed
 * @param target where it goes
 * @param name   the header's or field's name: the alias, else the column's own; without meaning for a partition
 */
record Placement(String column, Target target, String name) {

    enum Target {
        HEADER,
        ENVELOPE,
        PARTITION
    }

    static boolean isValid(String entry) {
        String[] parts = entry.split(":", -1);
        if (parts.length < 2 || parts.length > 3) {
            return false;
        }
        String column = parts[0].trim();
        String target = parts[1].trim().toUpperCase(Locale.ROOT);
        String name = parts.length == 3 ? parts[2].trim() : column;
        if (column.isEmpty() || name.isEmpty()) {
            return false;
        }
        return target.equals(Target.PARTITION.name())
                || (target.equals(Target.HEADER.name()) && !name.equalsIgnoreCase(HeaderNames.ID))
                || (target.equals(Target.ENVELOPE.name()) && !name.equals(PayloadEnvelope.PAYLOAD));
    }

    static Placement parse(String entry) {
        String[] parts = entry.split(":", -1);
        String column = parts[0].trim();
        return new Placement(
                column,
                Target.valueOf(parts[1].trim().toUpperCase(Locale.ROOT)),
                parts.length == 3 ? parts[2].trim() : column);
    }

    boolean isHeader() {
        return target == Target.HEADER;
    }
}
