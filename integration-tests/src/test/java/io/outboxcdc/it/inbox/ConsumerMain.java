package io.outboxcdc.it.inbox;

import com.zaxxer.hikari.HikariDataSource;
import io.outboxcdc.client.inbox.InboxConsumer;
import io.outboxcdc.client.inbox.InboxConsumerBuilder;
import io.outboxcdc.client.inbox.MessageHandler;
import io.outboxcdc.client.inbox.RetryPolicy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A consumer as a process, to be killed. What it is to do is in its environment. */
final class ConsumerMain {

    private static final int KILLED = 137;

    private ConsumerMain() {}

    public static void main(String[] arguments) {
        String name = System.getenv("NAME");
        int haltAfterCommits = Integer.parseInt(System.getenv("HALT_AFTER_COMMITS"));
        double failures = Double.parseDouble(System.getenv("FAILURES"));
        Effects effects = new Effects(name);
        MessageHandler handler = (connection, message) -> {
            effects.handle(connection, message);
            if (ThreadLocalRandom.current().nextDouble() < failures) {
                throw new IllegalStateException("now and then");
            }
        };
        try (HikariDataSource pool = InboxStack.pool(System.getenv("DATABASE"))) {
            InboxConsumerBuilder builder = InboxConsumer.builder(
                            name, haltAfterCommits > 0 ? halting(pool, haltAfterCommits) : pool, handler)
                    .kafka("bootstrap.servers", System.getenv("KAFKA"))
                    .kafka("session.timeout.ms", "6000")
                    .kafka("max.poll.records", System.getenv("BATCH"))
                    .retry(RetryPolicy.forever().withDelays(Duration.ofMillis(20), Duration.ofMillis(200)))
                    .workers(2)
                    .topics(System.getenv("TOPIC"));
            (Boolean.parseBoolean(System.getenv("STORE_FIRST")) ? builder.storeFirst() : builder)
                    .build()
                    .run();
        }
    }

    /** The process ends between the commit of the database and that of the offsets. */
    private static DataSource halting(DataSource pool, int commits) {
        AtomicInteger left = new AtomicInteger(commits);
        return (DataSource) proxy(
                DataSource.class,
                pool,
                "getConnection",
                connection -> proxy(Connection.class, connection, "commit", nothing -> {
                    if (left.decrementAndGet() == 0) {
                        Runtime.getRuntime().halt(KILLED);
                    }
                    return nothing;
                }));
    }

    private interface Then {
        Object apply(Object result);
    }

    private static Object proxy(Class<?> type, Object target, String method, Then then) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
            try {
                Object result = called.invoke(target, arguments);
                return called.getName().equals(method) ? then.apply(result) : result;
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        });
    }
}
