package io.distributedid.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Stands for a proxy that multiplexes statements: all clients share one session of the server. A client in a
 * transaction has a session of its own until the transaction ends.
 */
public final class MultiplexingProxy implements AutoCloseable {

    private final String url;

    private final Connection shared;

    public MultiplexingProxy(String url) throws SQLException {
        this.url = url;
        this.shared = DriverManager.getConnection(url);
        ServerScope.add(this);
    }

    /**
     * What a client connects to.
     *
     * @param betweenStatements runs after each of its statements in the shared session, before the client has the
     *     answer
     */
    public DataSource server(Runnable betweenStatements) {
        return proxy(DataSource.class, (self, method, arguments) -> switch (method.getName()) {
            case "getConnection" -> connection(DriverManager.getConnection(url), betweenStatements);
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "multiplexing proxy";
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    /** Only statements are shared: what is set or closed is the client's own session. */
    private Connection connection(Connection own, Runnable betweenStatements) {
        return proxy(Connection.class, (self, method, arguments) -> {
            boolean isStatement = method.getName().matches("createStatement|prepareStatement");
            if (!isStatement || !own.getAutoCommit()) {
                return invoke(own, method, arguments);
            }
            return statement(method.getReturnType(), invoke(shared, method, arguments), betweenStatements);
        });
    }

    private static Object statement(Class<?> type, Object statement, Runnable betweenStatements) {
        return proxy(type, (self, method, arguments) -> {
            Object result = invoke(statement, method, arguments);
            if (method.getName().startsWith("execute")) {
                betweenStatements.run();
            }
            return result;
        });
    }

    @FunctionalInterface
    private interface Call {
        Object of(Object self, Method method, Object... arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(MultiplexingProxy.class.getClassLoader(), new Class<?>[] {type}, call::of));
    }

    private static Object invoke(Object target, Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() throws SQLException {
        shared.close();
    }
}
