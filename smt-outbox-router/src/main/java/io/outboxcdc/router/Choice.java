package io.outboxcdc.router;

import java.util.Arrays;
import java.util.Locale;

/** A value of an option that takes one of a few words. Words are compared without regard to case, as Debezium does. */
interface Choice {

    String name();

    /** As it is written in a configuration. */
    default String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static <E extends Enum<E> & Choice> E parse(Class<E> choices, String text) {
        return Arrays.stream(choices.getEnumConstants())
                .filter(choice -> choice.text().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Not one of " + choices.getSimpleName()));
    }

    /** A choice whose words Debezium writes with underscores. */
    interface Underscored extends Choice {

        @Override
        default String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What becomes of a row that makes no legal event. */
    enum OnInvalidEvent implements Choice {
        DEAD_LETTER,
        FAIL;
    }

    /** What becomes of a row that was read by a snapshot. */
    enum SnapshotEvents implements Choice {
        ROUTE,
        DROP;
    }

    /** How loudly an UPDATE of the outbox is refused. */
    enum OnUpdate implements Choice {
        WARN,
        ERROR,
        FATAL;
    }

    /** What becomes of a member of an expanded payload that is null. */
    enum NullMembers implements Underscored {
        IGNORE,
        OPTIONAL_BYTES;
    }

    /** What becomes of a member of an expanded payload that is an empty array. */
    enum EmptyArrays implements Underscored {
        IGNORE,
        OPTIONAL_STRING;
    }

    /** Which names an expanded payload's members may have. */
    enum NameAdjustment implements Underscored {
        NONE,
        AVRO,
        AVRO_UNICODE;
    }

    /** What becomes of a placed column that the table does not have. */
    enum OnMissingColumn implements Choice {
        ERROR,
        IGNORE;
    }
}
