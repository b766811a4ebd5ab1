package io.outboxcdc.router;

import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * What an option's values are.
 *
 * @param defaultValue null where the option need not be set
 */
record OptionKind(ConfigDef.Type type, @Nullable Object defaultValue, Check check) {

    static OptionKind column() {
        return text(Check.COLUMN);
    }

    static OptionKind column(String name) {
        return text(name, Check.COLUMN);
    }

    static OptionKind text(Check check) {
        return new OptionKind(ConfigDef.Type.STRING, null, check);
    }

    static OptionKind text(String value, Check check) {
        return new OptionKind(ConfigDef.Type.STRING, value, check);
    }

    static OptionKind list(Check check) {
        return new OptionKind(ConfigDef.Type.LIST, null, check);
    }

    static OptionKind flag(Check check) {
        return new OptionKind(ConfigDef.Type.BOOLEAN, false, check);
    }

    static OptionKind number(int value, Check check) {
        return new OptionKind(ConfigDef.Type.INT, value, check);
    }

    boolean isShort() {
        return type == ConfigDef.Type.BOOLEAN || type == ConfigDef.Type.INT;
    }
}
