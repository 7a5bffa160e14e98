package io.distributedid.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A DataSource that lists the statements of its connections, and makes some of them fail. */
public final class SentStatements extends PlainDataSource {

    private static final Set<String> OF_CATALOG = Set.of("getPrimaryKeys", "getIndexInfo", "getColumns", "getTables");

    private final String url;

    private final Predicate<String> fails;

    private final Predicate<String> losesAnswer;

    private final List<String> sent = new CopyOnWriteArrayList<>();

    private final AtomicInteger connections = new AtomicInteger();

    private final Supplier<SQLException> failure;

    private SentStatements(
            String url, Predicate<String> fails, Supplier<SQLException> failure, Predicate<String> losesAnswer) {
        this.url = url;
        this.fails = fails;
        this.failure = failure;
        this.losesAnswer = losesAnswer;
    }

    public static SentStatements to(String url) {
        return failing(url, sql -> false);
    }

    /** Statements that match fail, and are not sent. */
    public static SentStatements failing(String url, Predicate<String> matching) {
        return new SentStatements(url, matching, () -> new SQLException("fails in this test"), sql -> false);
    }

    /** Statements that match are executed, and time out all the same. Hibernate lets the transaction go on. */
    public static SentStatements timingOut(String url, Predicate<String> matching) {
        return new SentStatements(url, sql -> false, () -> new SQLTimeoutException("times out in this test"), matching);
    }

    /** Statements that match are sent and executed, but their caller gets an error instead of the answer. */
    public static SentStatements losingAnswers(String url, Predicate<String> matching) {
        return new SentStatements(
                url, sql -> false, () -> new SQLException("the answer is lost in this test", "08S01"), matching);
    }

    /** The SQL of each execution; for a look at the catalog the name of the driver's method. */
    public List<String> sent() {
        return List.copyOf(sent);
    }

    /** How many connections were obtained. */
    public int connections() {
        return connections.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        connections.incrementAndGet();
        return connection(DriverManager.getConnection(url));
    }

    private Connection connection(Connection target) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = call(target, method, arguments);
            if (result instanceof DatabaseMetaData catalog) {
                return catalog(catalog);
            }
            if (result instanceof PreparedStatement prepared) {
                return statement(PreparedStatement.class, prepared, String.valueOf(arguments[0]));
            }
            return result instanceof Statement statement ? statement(Statement.class, statement, "") : result;
        });
    }

    private DatabaseMetaData catalog(DatabaseMetaData target) {
        return proxy(DatabaseMetaData.class, (method, arguments) -> {
            if (OF_CATALOG.contains(method.getName())) {
                send(method.getName());
            }
            return call(target, method, arguments);
        });
    }

    private <T extends Statement> T statement(Class<T> type, T target, String prepared) {
        return proxy(type, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                String sql = arguments == null ? prepared : String.valueOf(arguments[0]);
                send(sql);
                Object answer = call(target, method, arguments);
                if (losesAnswer.test(sql)) {
                    throw failure.get();
                }
                return answer;
            }
            return call(target, method, arguments);
        });
    }

    private void send(String sql) throws SQLException {
        sent.add(sql);
        if (fails.test(sql)) {
            throw failure.get();
        }
    }

    @FunctionalInterface
    private interface Call {
        Object of(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                SentStatements.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.of(method, arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
