package io.outboxcdc.stack;

import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;

import java.lang.instrument.Instrumentation;

import static net.bytebuddy.matcher.ElementMatchers.named;

/**
 * Makes the I/O thread of every Kafka producer in this JVM pause right after it has found nothing to send, as a busy
 * machine may do at any time. While it lasts, each commit meets the moment that it otherwise meets once in a great many.
 */
final class SlowSender implements AutoCloseable {

    private static final String ACCUMULATOR = "org.apache.kafka.clients.producer.internals.RecordAccumulator";

    private final Instrumentation instrumentation;
    private final ResettableClassFileTransformer pause;

    private SlowSender(Instrumentation instrumentation, ResettableClassFileTransformer pause) {
        this.instrumentation = instrumentation;
        this.pause = pause;
    }

    static SlowSender start() {
        Instrumentation instrumentation = ByteBuddyAgent.install();
        ResettableClassFileTransformer pause = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .type(named(ACCUMULATOR))
                .transform((builder, type, loader, module, domain) ->
                        builder.visit(Advice.to(PauseWhenIdle.class).on(named("hasIncomplete"))))
                .installOn(instrumentation);
        return new SlowSender(instrumentation, pause);
    }

    @Override
    public void close() {
        pause.reset(instrumentation, AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
    }

    /** Inlined into the producer's class, so it may use the JDK only. */
    static final class PauseWhenIdle {

        private PauseWhenIdle() {}

        @Advice.OnMethodExit
        static void pause(@Advice.Return boolean incomplete) throws InterruptedException {
            if (!incomplete) {
                Thread.sleep(5);
            }
        }
    }
}
