package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.jdbc.BorrowedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Databases of the application in which a sequence may have begun, under other settings than today's. They are only
 * read, and only before a sequence begins elsewhere: so they need not answer later. Thread-safe.
 */
public final class OtherDatabases {

    private static final Logger LOG = System.getLogger(OtherDatabases.class.getName());

    /**
     * One of them.
     *
     * @param access asked on the thread of the caller, who may hold the locks that it needs
     * @param mustAnswer whether no sequence may begin elsewhere while it is silent; else that is a warning
     */
    public record Other(Supplier<? extends ConnectionAccess> access, boolean mustAnswer) {}

    /** A question to a database, without a write. */
    interface Look {

        boolean in(Connection connection, ConnectionAccess database) throws SQLException;
    }

    private final List<Other> all;

    public OtherDatabases(List<Other> all) {
        this.all = List.copyOf(all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * Asks all of them, and returns whether one says yes.
     *
     * @param mayWait false if a silent database is a warning in any case
     * @throws IdUnavailableException if one that must answer is silent
     */
    boolean any(Sequence sequence, boolean mayWait, Look look) {
        boolean isAny = false;
        for (Other each : all) {
            isAny |= ask(sequence, each, mayWait, look);
        }
        return isAny;
    }

    private static boolean ask(Sequence sequence, Other other, boolean mayWait, Look look) {
        String label = "";
        try {
            ConnectionAccess database = other.access.get();
            label = database.label() + " said: ";
            return ask(sequence, database, look);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while asking another database: " + sequence, e);
        } catch (DistributedIdException e) {
            throw e;
        } catch (SQLException | RuntimeException e) {
            String message = "Can't read from another database of the application whether a sequence has begun there: "
                    + sequence + ", " + label + FailureText.of(e);
            if (other.mustAnswer && mayWait) {
                throw new IdUnavailableException(
                        message
                                + ". It must answer once, before the sequence begins elsewhere. A DataSource bean of"
                                + " Spring that has never held ids need not, if it is declared with"
                                + " autowireCandidate = false",
                        e);
            }
            LOG.log(Level.WARNING, message + ". If it has, the same ids are given again");
            return false;
        }
    }

    /** Asks one database, within {@code block.timeout}. */
    static boolean ask(Sequence sequence, ConnectionAccess database, Look look)
            throws SQLException, InterruptedException {
        Duration limit = BlockPolicy.of(sequence.settings()).timeout();
        return LibraryThread.call(() -> {
            try (BorrowedConnection borrowed = BorrowedConnection.obtain(database, limit)) {
                return outsideTransaction(borrowed.get(), connection -> look.in(connection, database));
            }
        });
    }

    private interface Question {

        boolean in(Connection connection) throws SQLException;
    }

    /** Otherwise a failed query, as for a table that is missing, would leave a transaction that is aborted. */
    private static boolean outsideTransaction(Connection connection, Question question) throws SQLException {
        if (connection.getAutoCommit()) {
            return question.in(connection);
        }
        connection.setAutoCommit(true);
        try {
            return question.in(connection);
        } finally {
            connection.setAutoCommit(false);
        }
    }
}
