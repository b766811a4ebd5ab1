package io.outboxcdc.router;

import java.util.Arrays;

/** A value of an option that takes one of a few words. Words are compared without regard to case, as Debezium does. */
interface Choice {

    String text();

    static <E extends Enum<E> & Choice> E parse(Class<E> choices, String text) {
        return Arrays.stream(choices.getEnumConstants())
                .filter(choice -> choice.text().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Not one of " + choices.getSimpleName()));
    }

    /** What becomes of a row that makes no legal event. */
    enum OnInvalidEvent implements Choice {
        DEAD_LETTER("dead-letter"),
        FAIL("fail");

        private final String text;

        OnInvalidEvent(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** What becomes of a row that was read by a snapshot. */
    enum SnapshotEvents implements Choice {
        ROUTE("route"),
        DROP("drop");

        private final String text;

        SnapshotEvents(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** How loudly an UPDATE of the outbox is refused. */
    enum OnUpdate implements Choice {
        WARN("warn"),
        ERROR("error"),
        FATAL("fatal");

        private final String text;

        OnUpdate(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** What becomes of a placed column that the table does not have. */
    enum OnMissingColumn implements Choice {
        ERROR("error"),
        IGNORE("ignore");

        private final String text;

        OnMissingColumn(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }
}
