package io.outboxcdc.cli;

import io.outboxcdc.stack.OutboxPipeline;
import io.outboxcdc.stack.StackOptions;
import io.outboxcdc.stack.StartupProgress;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;

/** How commands start a pipeline from their arguments. */
final class PipelineStart {

    private PipelineStart() {}

    static OutboxPipeline start(StackArguments arguments, StartupProgress progress) {
        return OutboxPipeline.start(options(arguments), arguments.consent(), progress);
    }

    static StackOptions options(StackArguments arguments) {
        String home = Optional.ofNullable(System.getProperty("outbox.home"))
                .orElseThrow(() -> new CommandFailure(
                        "the system property outbox.home, the project's folder, is not set. Start with ./outboxctl."));
        return arguments.stackOptions(Path.of(home));
    }

    /** A slot without a reader holds WAL, so nobody may be left unaware of one. */
    static void tellWhatStays(StackArguments arguments, PrintWriter err) {
        if (arguments.usesGivenDatabase()) {
            err.println("The slot 'outbox' stays in your database and holds WAL until a connector reads it. If none"
                    + " will: SELECT pg_drop_replication_slot('outbox'); DELETE FROM public.outbox_slot WHERE slot_name"
                    + " = 'outbox';");
            err.flush();
        }
    }
}
