package io.distributedid.internal.start;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.BoundedConnect;
import io.distributedid.internal.jdbc.ConnectionSupplier;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection on which a start reads the application's database. Obtained at its first use, within
 * {@link DistributedIdSettings#BLOCK_TIMEOUT}. For one thread.
 */
public final class StartConnection implements ConnectionSupplier, AutoCloseable {

    private static final Logger LOG = System.getLogger(StartConnection.class.getName());

    private final ConnectionAccess database;

    private final Duration timeout;

    private @Nullable Connection connection;

    public StartConnection(ConnectionAccess database, Settings settings) {
        this.database = database;
        this.timeout = settings.get(CoreSettings.BLOCK_TIMEOUT);
    }

    /** With a pool, this is the first connection beside the one that is kept for ids. */
    @Override
    public Connection get() {
        if (connection == null) {
            connection = obtain();
        }
        return connection;
    }

    private Connection obtain() {
        try {
            return BoundedConnect.obtain(database, timeout);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The application's database gives no connection within " + timeout.toMillis() + " ms ("
                            + DistributedIdSettings.BLOCK_TIMEOUT + "): " + database.label() + " said: "
                            + e.getMessage()
                            + ". If it is a pool, it must have room for one connection that is kept for ids, beside"
                            + " those of the application; or name the database by its URL"
                            + " (distributedid.sequence_table.servers)",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the ids in use: " + database.label(), e);
        }
    }

    @Override
    public void close() {
        if (connection == null) {
            return;
        }
        try {
            database.release(connection);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + database.label(), e);
        }
    }
}
