package io.distributedid.internal.start;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.existing.StartIds;
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
import java.util.concurrent.CompletableFuture;
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

    /** Reads the database, without a result. */
    @FunctionalInterface
    public interface Step {

        void with(StartConnection connection) throws SQLException;
    }

    /** Long enough for a catalog of many tables. A query for ids in use has a shorter one of its own. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final ConnectionAccess database;

    private final Duration timeout;

    private final Duration answerLimit;

    private @Nullable JdbcLink<?> link;

    private @Nullable StartIds ids;

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
        return finish(
                what,
                database,
                () -> LibraryThread.call(() -> {
                    try (StartConnection connection = new StartConnection(database, settings)) {
                        return work.with(connection);
                    }
                }));
    }

    /**
     * Opens sequences on the current thread, while one of the library reads what does not need them.
     *
     * @param what is read, for messages
     * @param before reads while the sequences are opened
     * @param after begins when they are open, on the same connection
     */
    public static void read(
            String what, ConnectionAccess database, Settings settings, Step before, Runnable opening, Step after) {
        CompletableFuture<Boolean> isOpen = new CompletableFuture<>();
        Runnable announcedOpening = () -> {
            try {
                opening.run();
                isOpen.complete(true);
            } finally {
                isOpen.complete(false);
            }
        };
        boolean unused = finish(
                what,
                database,
                () -> LibraryThread.callWhile(announcedOpening, () -> {
                    try (StartConnection connection = new StartConnection(database, settings)) {
                        before.with(connection);
                        if (isOpen.join()) {
                            after.with(connection);
                        }
                        return true;
                    }
                }));
    }

    private static <T extends @Nullable Object> T finish(
            String what, ConnectionAccess database, LibraryThread.Work<T> reading) {
        try {
            return reading.run();
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

    /** The reader of existing ids, which knows what was read before. */
    StartIds ids() {
        if (ids == null) {
            ids = new StartIds(get());
        }
        return ids;
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
                    "The application's database provides no connection: " + database.label() + " said: "
                            + e.getMessage(),
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
