package io.outboxcdc.client.outbox;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What would break: an application that has neither Jackson nor OpenTelemetry. */
class OptionalDependenciesTest {

    private static final List<String> ABSENT =
            List.of("com.fasterxml.jackson.", "io.opentelemetry.", "org.apache.kafka.");

    /** Loads the client's classes anew, so that they see what this loader shows them. */
    private static final class WithoutThem extends URLClassLoader {
        WithoutThem(URL classes) {
            super(new URL[] {classes}, OptionalDependenciesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (ABSENT.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.outboxcdc.client.outbox.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Test
    void theWriterWorksWithoutThemAndSaysWhatAnObjectAsPayloadNeeds() throws Exception {
        URL classes = Outbox.class.getProtectionDomain().getCodeSource().getLocation();
        try (WithoutThem loader = new WithoutThem(classes)) {
            Class<?> outboxClass = loader.loadClass("io.outboxcdc.client.outbox.Outbox");
            Class<?> eventClass = loader.loadClass("io.outboxcdc.client.outbox.OutboxEvent");
            Object outbox = outboxClass.getMethod("create").invoke(null);
            Object event =
                    eventClass.getMethod("of", String.class, String.class).invoke(null, "order", "42");
            Object withObject =
                    eventClass.getMethod("withPayload", Object.class).invoke(event, List.of(1));

            assertThatThrownBy(() -> outboxClass
                            .getMethod("append", Connection.class, eventClass)
                            .invoke(outbox, inTransaction(), withObject))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Jackson is not on the class path. Give one by Outbox.builder().json(...)");
        }
    }

    /** A connection that is asked for its mode only. */
    private static Connection inTransaction() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getAutoCommit")) {
                        return false;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
