package io.outboxcdc.cli;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes commands, and hands the running JVM's interruption to those that run for long. */
final class CommandFactory implements IFactory {

    private final IFactory plain = CommandLine.defaultFactory();
    private final Interruption interruption;

    CommandFactory(Interruption interruption) {
        this.interruption = interruption;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == DemoCommand.class) {
            return type.cast(new DemoCommand(interruption));
        }
        if (type == UpCommand.class) {
            return type.cast(new UpCommand(interruption));
        }
        return plain.create(type);
    }
}
