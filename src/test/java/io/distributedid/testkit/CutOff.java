package io.distributedid.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Servers that answer a number of calls, and then none any more: as a client sees them that is killed there. */
final class CutOff {

    static final String MESSAGE = "cut off by the test";

    private static final Set<String> CALLS =
            Set.of("getConnection", "execute", "executeQuery", "executeUpdate", "commit");

    private final AtomicInteger answers;

    private final IdentityHashMap<DataSource, DataSource> wrapped = new IdentityHashMap<>();

    CutOff(int answers) {
        this.answers = new AtomicInteger(answers);
    }

    List<DataSource> wrap(List<DataSource> servers) {
        return servers.stream().map(this::wrap).toList();
    }

    DataSource wrap(DataSource server) {
        return wrapped.computeIfAbsent(server, key -> proxy(DataSource.class, key));
    }

    private <T> T proxy(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    boolean isCut = CALLS.contains(method.getName()) ? answers.getAndDecrement() <= 0 : false;
                    if (isCut) {
                        throw new SQLException(MESSAGE, "08006");
                    }
                    return wrapResult(method, invoke(target, method, arguments));
                }));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object wrapResult(Method method, Object result) {
        Class<?> type = method.getReturnType();
        boolean isOurs = result != null && (type == Connection.class || Statement.class.isAssignableFrom(type));
        return isOurs ? proxy(type, result) : result;
    }
}
