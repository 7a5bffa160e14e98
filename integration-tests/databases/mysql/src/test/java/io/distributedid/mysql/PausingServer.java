package io.distributedid.mysql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * A server whose client does something else before it prepares a statement: what a client that is slow there gives
 * others time for.
 */
final class PausingServer {

    @FunctionalInterface
    interface Pause {

        void run() throws Exception;
    }

    private PausingServer() {}

    /**
     * Wraps a server.
     *
     * @param beginning of the statement
     * @param pause what happens before it, each time
     */
    static DataSource before(String beginning, DataSource server, Pause pause) {
        return (DataSource) Proxy.newProxyInstance(
                PausingServer.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    Object result = invoke(server, method, arguments);
                    return result instanceof Connection connection ? pausing(connection, beginning, pause) : result;
                });
    }

    private static Connection pausing(Connection connection, String beginning, Pause pause) {
        return (Connection) Proxy.newProxyInstance(
                PausingServer.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && arguments[0].toString().startsWith(beginning)) {
                        pause.run();
                    }
                    return invoke(connection, method, arguments);
                });
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
