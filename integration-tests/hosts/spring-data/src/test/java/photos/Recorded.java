package photos;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The statements that the application sends to the database, by JDBC or R2DBC. Those for ids have their own threads.
 */
final class Recorded {

    private static final List<String> STATEMENTS = new CopyOnWriteArrayList<>();

    private Recorded() {}

    /** What {@code work} sends, one word each. */
    static List<String> verbs(Runnable work) {
        STATEMENTS.clear();
        work.run();
        return STATEMENTS.stream()
                .map(sql -> sql.substring(0, sql.indexOf(' ')))
                .toList();
    }

    static DataSource dataSource(DataSource real) {
        return proxy(
                DataSource.class,
                real,
                result -> result instanceof java.sql.Connection connection
                        ? proxy(java.sql.Connection.class, connection, UnaryOperator.identity())
                        : result);
    }

    static ConnectionFactory connectionFactory(ConnectionFactory real) {
        return proxy(
                ConnectionFactory.class,
                real,
                result -> result instanceof Publisher<?> connections
                        ? Mono.from(connections)
                                .map(each -> proxy(Connection.class, (Connection) each, UnaryOperator.identity()))
                        : result);
    }

    private static <T> T proxy(Class<T> type, T real, UnaryOperator<Object> results) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (isStatement(method) && !Thread.currentThread().getName().startsWith("distributedid-")) {
                STATEMENTS.add((String) arguments[0]);
            }
            try {
                return results.apply(method.invoke(real, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(Recorded.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static boolean isStatement(Method method) {
        return method.getName().equals("prepareStatement")
                || method.getName().equals("createStatement") && method.getParameterCount() == 1;
    }
}
