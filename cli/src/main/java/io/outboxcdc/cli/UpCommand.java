package io.outboxcdc.cli;

import io.outboxcdc.stack.LocalStack;
import io.outboxcdc.stack.OutboxPipeline;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** Keeps a whole pipeline running and prints where its parts are. */
@Command(name = "up", description = "Starts a pipeline, prints where its parts are, and keeps it running until Ctrl-C.")
final class UpCommand implements Callable<Integer> {

    private final Interruption interruption;

    @Mixin
    private StackArguments arguments = new StackArguments();

    @Spec
    private CommandSpec command = CommandSpec.create();

    UpCommand(Interruption interruption) {
        this.interruption = interruption;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        try (OutboxPipeline pipeline = PipelineStart.start(arguments, new ConsoleProgress(err))) {
            LocalStack stack = pipeline.stack();
            out.println("JDBC_URL=" + stack.postgres().jdbcUrl());
            out.println("KAFKA_BOOTSTRAP_SERVERS=" + stack.bootstrapServers());
            out.println("CONNECT_URL=" + stack.connectUrl());
            stack.postgresProcess().ifPresent(postgres -> out.println("POSTGRES_PID=" + postgres.pid()));
            out.println("KAFKA_PID=" + stack.kafkaProcess().pid());
            out.println("CONNECT_PID=" + stack.connectProcess().pid());
            out.flush();
            err.println("The pipeline runs; logs are in " + stack.workFolder() + ". Ctrl-C ends it.");
            err.flush();
            interruption.await();
        }
        PipelineStart.tellWhatStays(arguments, err);
        return 0;
    }
}
