package io.distributedid.internal.start;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection on which a start reads the application's database. Obtained at its first use, within
 * {@code distributedid.block.timeout}. Each answer has a limit too, so that a database that hangs fails the start. For
 * one thread.
 */
public final class StartConnection implements SqlSupplier<Connection>, AutoCloseable {

    /** Reads the database. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {

        T with(StartConnection connection) throws SQLException;
    }

    /** Long enough for a catalog of many tables. A query for ids in use has a shorter one of its own. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final ConnectionAccess database;

    private final Duration timeout;

    private final Duration answerLimit;

    private @Nullable JdbcLink<?> link;

    private StartConnection(ConnectionAccess database, Settings settings) {
        this.database = database;
        this.timeout = settings.get(CoreSettings.BLOCK_TIMEOUT);
        this.answerLimit = answerLimit(settings);
    }

    /**
     * Runs work on a thread of the library: the start may be in a transaction, which the connection must not join.
     *
     * @param what is read, for messages
     */
    public static <T extends @Nullable Object> T read(
            String what, ConnectionAccess database, Settings settings, Work<T> work) {
        try {
            return LibraryThread.call(() -> {
                try (StartConnection connection = new StartConnection(database, settings)) {
                    return work.with(connection);
                }
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The " + what + " in use can't be read: " + database.label() + " said: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    "Interrupted while reading the " + what + " in use: " + database.label(), e);
        }
    }

    /** With a pool, this is the first connection beside the one that is kept for ids. */
    @Override
    public Connection get() {
        if (link == null) {
            link = borrow();
        }
        return link.connection();
    }

    /** What the database remembers. */
    RememberedPlaces places() {
        return new RememberedPlaces(get(), database.namespace(), database.label());
    }

    /** How long a start waits for an answer of the application's database. */
    private static Duration answerLimit(Settings settings) {
        Duration timeout = settings.get(CoreSettings.BLOCK_TIMEOUT);
        return timeout.compareTo(ANSWER) > 0 ? timeout : ANSWER;
    }

    private JdbcLink<?> borrow() {
        try {
            return JdbcLink.borrow(database, timeout, answerLimit);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The application's database gives no connection within " + timeout.toMillis() + " ms ("
                            + "distributedid.block.timeout): " + database.label() + " said: "
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
        if (link != null) {
            link.close();
        }
    }
}
