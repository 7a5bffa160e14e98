package io.distributedid.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server whose round trips are counted: each statement, and each begin and end of a transaction. */
public final class CountedTrips extends PlainDataSource {

    private static final Set<String> TRIPS =
            Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "commit", "rollback", "setAutoCommit");

    private final Connect connect;

    private final List<String> trips = new CopyOnWriteArrayList<>();

    private volatile boolean up = true;

    private volatile Action before = trip -> {};

    /** What runs before a trip. It gets the SQL, or the name of the method. */
    @FunctionalInterface
    public interface Action {

        /** If it throws, the trip does not take place. */
        void before(String trip) throws SQLException;
    }

    /** Opens a connection. */
    @FunctionalInterface
    public interface Connect {

        Connection open() throws SQLException;
    }

    public CountedTrips(String url) {
        this(() -> DriverManager.getConnection(url));
    }

    public CountedTrips(Connect connect) {
        this.connect = connect;
    }

    /** The trips since the last call. */
    public List<String> take() {
        List<String> taken = List.copyOf(trips);
        trips.clear();
        return taken;
    }

    /** From now on, connections are refused. */
    public void stop() {
        up = false;
    }

    /** What runs before each trip from now on. */
    public void before(Action action) {
        before = action;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!up) {
            throw new SQLNonTransientConnectionException("No route to the server", "08001");
        }
        return counted(Connection.class, connect.open(), "");
    }

    private <T> T counted(Class<T> type, T target, String sql) {
        InvocationHandler handler = (self, method, arguments) -> {
            String given =
                    arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : sql;
            if (TRIPS.contains(method.getName())) {
                String trip = given.isEmpty() ? method.getName() : given;
                trips.add(trip);
                before.before(trip);
            }
            try {
                Object result = method.invoke(target, arguments);
                if (result instanceof PreparedStatement prepared) {
                    return counted(PreparedStatement.class, prepared, given);
                }
                return result instanceof Statement statement ? counted(Statement.class, statement, given) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(CountedTrips.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
