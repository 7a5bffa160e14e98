package io.distributedid.internal.jdbc;

import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC connection in autocommit mode. Its commits are as durable as the server allows, see {@link Durability}. A
 * statement that is given up ends on the server too, see {@link ClientWatch}. For one thread at a time.
 */
public final class JdbcLink<S extends DedicatedConnection.Session> implements Link<S> {

    /** Opens links to one database. */
    public record Source<S extends DedicatedConnection.Session>(
            ConnectionAccess access, DedicatedConnection.SessionOpener<S> opener) implements Link.Source<S> {

        @Override
        public String label() {
            return access.label();
        }

        @Override
        public Link<S> connect(Duration atMost) throws SQLException {
            return new JdbcLink<>(access, access.obtain(atMost), opener);
        }
    }

    /**
     * What to restore.
     *
     * @param networkTimeout empty if the driver does not support it
     */
    private record Before(boolean autoCommit, OptionalInt networkTimeout, Durability durability, ClientWatch watch) {}

    private final ConnectionAccess access;

    private final Connection connection;

    private final DedicatedConnection.SessionOpener<S> opener;

    private @Nullable Before before;

    private JdbcLink(ConnectionAccess access, Connection connection, DedicatedConnection.SessionOpener<S> opener) {
        this.access = access;
        this.connection = connection;
        this.opener = opener;
    }

    @Override
    public S open(Duration atMost) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        OptionalInt networkTimeout = AnswerLimit.set(connection, atMost, access.label());
        connection.setAutoCommit(true);
        DatabaseProduct product = DatabaseProduct.of(connection);
        Durability durability = Durability.check(connection, product, access.label());
        before = new Before(autoCommit, networkTimeout, durability, ClientWatch.start(connection, product));
        return opener.open(connection);
    }

    @Override
    public boolean isValid(Duration atMost) throws SQLException {
        return connection.isValid((int) Math.max(1, atMost.toSeconds()));
    }

    @Override
    public void limit(Duration atMost) {
        OptionalInt unused = AnswerLimit.set(connection, atMost, access.label());
    }

    @Override
    public void restore(S session) throws SQLException {
        session.restore();
        Before known = before;
        if (known != null) {
            known.watch.restore(connection);
            known.durability.restore(connection);
            connection.setAutoCommit(known.autoCommit);
            AnswerLimit.restore(connection, known.networkTimeout);
        }
    }

    @Override
    public void abort() throws SQLException {
        connection.abort(Runnable::run);
    }

    @Override
    public void release() throws SQLException {
        access.release(connection);
    }
}
