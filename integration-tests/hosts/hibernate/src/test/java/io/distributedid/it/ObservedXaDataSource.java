package io.distributedid.it;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import org.h2.jdbcx.JdbcDataSource;

/** H2 for XA pools. It knows which of its connections took part in a transaction, and which the library used. */
public final class ObservedXaDataSource implements XADataSource {

    /** The library's statements; none of Hibernate's looks like that. */
    private static final Pattern OURS = Pattern.compile(
            "SELECT MAX\\(|(FROM|INTO|UPDATE) (sequence|Tickets64) |CREATE TABLE IF NOT EXISTS (sequence|Tickets64) ");

    private static final Pattern RESERVING = Pattern.compile("UPDATE (sequence|Tickets64) SET id = (id \\+|\\?)");

    /** By URL, since a pool makes its XADataSource itself. */
    private static final Map<String, Observed> BY_URL = new ConcurrentHashMap<>();

    private final JdbcDataSource h2 = new JdbcDataSource();

    /** The connections to one database. */
    static final class Observed {

        private final List<ObservedConnection> connections = new CopyOnWriteArrayList<>();

        long enlisted() {
            return connections.stream()
                    .filter(connection -> connection.enlisted)
                    .count();
        }

        long reserving() {
            return connections.stream()
                    .filter(connection -> connection.blocks > 0)
                    .count();
        }

        long enlistedAndReserving() {
            return connections.stream()
                    .filter(connection -> connection.enlisted && connection.blocks > 0)
                    .count();
        }

        /** How many connections were cut off, as if they were broken. */
        long cut() {
            return connections.stream().filter(connection -> connection.cut).count();
        }

        /** How many blocks were reserved. */
        long blocks() {
            return connections.stream()
                    .mapToLong(connection -> connection.blocks)
                    .sum();
        }

        /** Statements of the library on connections that were in a transaction. */
        Stream<String> inTransactions() {
            return connections.stream().flatMap(connection -> connection.inTransactions.stream());
        }
    }

    private static final class ObservedConnection {

        private final List<String> inTransactions = new CopyOnWriteArrayList<>();

        private final XAResource resource;

        private volatile boolean inTransaction;

        private volatile boolean enlisted;

        private volatile boolean cut;

        private volatile long blocks;

        ObservedConnection(XAResource ofH2) {
            resource = proxy(XAResource.class, (method, arguments) -> {
                switch (method.getName()) {
                    case "start" -> {
                        enlisted = true;
                        inTransaction = true;
                    }
                    case "commit", "rollback" -> inTransaction = false;
                    default -> {
                        // Leaves it in the transaction, or out of it.
                    }
                }
                return invoke(ofH2, method, arguments);
            });
        }

        XAConnection observe(XAConnection ofH2) {
            return proxy(XAConnection.class, (method, arguments) -> {
                Object result = invoke(ofH2, method, arguments);
                return switch (method.getName()) {
                    case "getXAResource" -> resource;
                    case "getConnection" -> observe(Connection.class, result);
                    default -> result;
                };
            });
        }

        private <T> T observe(Class<T> type, Object ofH2) {
            return proxy(type, (method, arguments) -> {
                cut |= method.getName().equals("abort");
                if (arguments != null
                        && arguments[0] instanceof String sql
                        && OURS.matcher(sql).find()) {
                    blocks += RESERVING.matcher(sql).find() ? 1 : 0;
                    if (inTransaction) {
                        inTransactions.add(sql);
                    }
                }
                Object result = invoke(ofH2, method, arguments);
                return method.getName().equals("createStatement") ? observe(Statement.class, result) : result;
            });
        }
    }

    /** What was observed of the connections to a database. */
    static Observed observed(String url) {
        return BY_URL.computeIfAbsent(url, key -> new Observed());
    }

    /** Called by pools. */
    public void setUrl(String url) {
        h2.setURL(url);
    }

    @Override
    public XAConnection getXAConnection() throws SQLException {
        XAConnection connection = h2.getXAConnection();
        ObservedConnection observed = new ObservedConnection(connection.getXAResource());
        observed(h2.getURL()).connections.add(observed);
        return observed.observe(connection);
    }

    @Override
    public XAConnection getXAConnection(String user, String password) throws SQLException {
        return getXAConnection();
    }

    @FunctionalInterface
    private interface Call {
        Object make(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        InvocationHandler handler = (self, method, arguments) -> switch (method.getName()) {
            case "equals", "isSameRM" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> call.make(method, arguments);
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return h2.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        h2.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        h2.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return h2.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return h2.getParentLogger();
    }
}
