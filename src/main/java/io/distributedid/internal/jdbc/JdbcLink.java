package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.Platform;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A JDBC connection of a server, of the application or of its pool. It goes back as it was: each change is undone, the
 * last one first. Where that fails, the connection is cut. For one thread at a time, apart from {@link #abort}.
 *
 * <p>Once it is {@linkplain #open opened}, it is in autocommit mode, its commits are as durable as the server allows,
 * and a statement that is given up ends on the server too, see {@link Durability}.
 */
public final class JdbcLink<S extends DedicatedConnection.Session> implements Link<S> {

    private static final Logger LOG = System.getLogger(JdbcLink.class.getName());

    /** Opens links to one database. */
    public record Source<S extends DedicatedConnection.Session>(
            ConnectionAccess access, DedicatedConnection.Work<Connection, S> opener) implements Link.Source<S> {

        @Override
        public String label() {
            return access.label();
        }

        @Override
        public JdbcLink<S> connect(Duration atMost) throws SQLException {
            Connection connection = access.obtain(atMost);
            return new JdbcLink<>(access.label(), connection, () -> access.release(connection), opener);
        }
    }

    /** A step of the way back. */
    @FunctionalInterface
    interface Undo {

        void run() throws SQLException;
    }

    private final String label;

    private final Connection connection;

    private final Undo release;

    private final DedicatedConnection.Work<Connection, S> opener;

    private final Deque<Undo> changes = new ArrayDeque<>();

    private volatile boolean isCut;

    /** Others may use it since. */
    private volatile boolean isReleased;

    private JdbcLink(
            String label, Connection connection, Undo release, DedicatedConnection.Work<Connection, S> opener) {
        this.label = label;
        this.connection = connection;
        this.release = release;
        this.opener = opener;
    }

    /**
     * Borrows a connection for a moment. All waits are bounded: for the connection, even if the pool has no timeout,
     * and for each answer, if the driver supports it.
     */
    public static JdbcLink<?> borrow(ConnectionAccess access, Duration limit, Duration ofEachAnswer)
            throws SQLException, InterruptedException {
        Source<DedicatedConnection.Session> source = new Source<>(access, JdbcLink::withoutSession);
        JdbcLink<?> link = new BoundedConnect<>(access.label(), source::connect, Platform.JVM).obtain(limit);
        link.limit(ofEachAnswer);
        return link;
    }

    /** A link over a connection that its owner closes. */
    static JdbcLink<?> over(Connection connection, String label) {
        return new JdbcLink<>(label, connection, () -> {}, JdbcLink::withoutSession);
    }

    private static DedicatedConnection.Session withoutSession(Connection connection) {
        return new DedicatedConnection.Session() {};
    }

    public Connection connection() {
        return connection;
    }

    @Override
    public S open() throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        changes.push(() -> connection.setAutoCommit(autoCommit));
        DatabaseProduct product = DatabaseProduct.of(connection);
        Durability durability = Durability.check(connection, product, label);
        changes.push(() -> durability.restore(connection));
        S session = opener.in(connection);
        changes.push(session::restore);
        return session;
    }

    @Override
    public boolean isValid(Duration atMost) throws SQLException {
        return connection.isValid((int) Math.max(1, atMost.toSeconds()));
    }

    @Override
    public void limit(Duration atMost) {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(atMost.toMillis()));
            if (changes.isEmpty()) {
                // Of several limits, the first has replaced what is to come back.
                changes.push(() -> connection.setNetworkTimeout(Runnable::run, before));
            }
        } catch (SQLException e) {
            // Not only SQLFeatureNotSupportedException: Narayana's driver throws another SQLException.
            LOG.log(Level.DEBUG, "The driver does not support setNetworkTimeout: " + label, e);
        }
    }

    /** Undoes a change of the caller when the link is closed. */
    void onClose(Undo change) {
        changes.push(change);
    }

    /** Pools and drivers throw unchecked exceptions too. */
    @Override
    public void abort() {
        isCut = true;
        if (isReleased) {
            return;
        }
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "A connection could not be cut: " + label, e);
        }
    }

    @Override
    public void close() {
        try {
            while (!isCut && !changes.isEmpty()) {
                changes.pop().run();
            }
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "A session could not be restored, and its connection is cut: " + label, e);
            abort();
        }
        isReleased = true;
        try {
            release.run();
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + label, e);
        }
    }
}
