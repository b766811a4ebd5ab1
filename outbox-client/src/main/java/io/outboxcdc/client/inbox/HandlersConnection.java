package io.outboxcdc.client.inbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;

/**
 * The connection as a handler sees it. A handler that commits, or closes the connection, would part the claim from the
 * effect and notice nothing; so these calls are refused. Savepoints are its own affair.
 */
final class HandlersConnection implements InvocationHandler {

    private static final Set<String> REFUSED = Set.of("commit", "close", "abort", "setAutoCommit");

    private final Connection connection;

    private HandlersConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                HandlersConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new HandlersConnection(connection));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        boolean wholeRollback = method.getName().equals("rollback") && method.getParameterCount() == 0;
        if (REFUSED.contains(method.getName()) || wholeRollback) {
            throw new IllegalStateException(
                    "A handler called " + method.getName() + " on the connection. The transaction"
                            + " is the inbox's, which commits the effect together with the claim: to give up, throw.");
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
