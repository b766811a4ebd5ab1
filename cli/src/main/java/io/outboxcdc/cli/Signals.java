package io.outboxcdc.cli;

import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Takes signals without the JVM's shutdown, which would fix the exit code.
 *
 * <p>{@code sun.misc.Signal} is the only way to do so, and exported for this use (JEP 260, module jdk.unsupported). It
 * is called by reflection, since the compiler warns of its name and cannot be told not to.
 */
final class Signals {

    private Signals() {}

    /**
     * Runs an action whenever one of the signals comes, on a thread of its own.
     *
     * @throws IllegalStateException when this JVM has no such class
     */
    static void onEach(List<String> names, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object calling = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        action.run();
                        return null;
                    });
            for (String name : names) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), calling);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This Java cannot take signals: " + e, e);
        }
    }
}
