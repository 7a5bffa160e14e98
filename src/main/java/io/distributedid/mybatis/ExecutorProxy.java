package io.distributedid.mybatis;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.jspecify.annotations.Nullable;

/**
 * An executor whose inserted objects get their ids first. Like MyBatis's {@code Plugin}, without its look-ups and
 * without reflection in the one method that runs for each row. A proxy, so that executors may get new methods.
 */
final class ExecutorProxy implements InvocationHandler {

    private final DistributedIdInterceptor interceptor;

    /** Other plug-ins look for the real executor in a field of this name, as in MyBatis's {@code Plugin}. */
    private final Executor target;

    private ExecutorProxy(DistributedIdInterceptor interceptor, Executor target) {
        this.interceptor = interceptor;
        this.target = target;
    }

    static Executor of(DistributedIdInterceptor interceptor, Executor target) {
        return (Executor) Proxy.newProxyInstance(
                Executor.class.getClassLoader(),
                new Class<?>[] {Executor.class},
                new ExecutorProxy(interceptor, target));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && isUpdate(method, arguments)) {
            MappedStatement statement = (MappedStatement) arguments[0];
            interceptor.assign(statement, arguments[1]);
            return target.update(statement, arguments[1]);
        }
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static boolean isUpdate(Method method, Object[] arguments) {
        return arguments.length == 2
                && arguments[0] instanceof MappedStatement
                && method.getName().equals("update");
    }
}
