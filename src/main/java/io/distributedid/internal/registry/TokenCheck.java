package io.distributedid.internal.registry;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.AnswerLimit;
import io.distributedid.internal.jdbc.BoundedConnect;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Compares the place of each counter with the one that the application's own database remembers, see
 * {@link Backend#remember}, when its sequence is opened. Without such a database it logs a warning, once. Thread-safe.
 */
final class TokenCheck {

    private static final Logger LOG = System.getLogger(TokenCheck.class.getName());

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Optional<ConnectionAccess> applicationDatabase;

    private final boolean isCallers;

    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param isCallers whether somebody else compares the tokens: nothing is done */
    TokenCheck(Optional<ConnectionAccess> applicationDatabase, boolean isCallers) {
        this.applicationDatabase = applicationDatabase;
        this.isCallers = isCallers;
    }

    /**
     * To be called before the first id.
     *
     * @throws io.distributedid.IdConfigurationException if the sequence was counted in another place before
     * @throws IdUnavailableException if the application's database does not answer
     */
    void check(Sequence sequence, Backend backend) {
        if (isCallers || backend.token(sequence).isEmpty()) {
            return;
        }
        if (applicationDatabase.isPresent()) {
            compare(sequence, backend, applicationDatabase.get());
        } else if (!warned.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "Nobody remembers where the ids of a sequence come from: seq={0}. If servers, table, schema or ticket.bits are"
                            + " changed while instances with the old settings run, both places give the same ids. Let the"
                            + " application''s database remember it: DistributedIds.Builder.applicationDatabase, or use Hibernate; or"
                            + " compare ids.token(\"{0}\") with what it was, and call Builder.tokensComparedByCaller. To change the"
                            + " place: distributedid adopt {0}",
                    sequence.name());
        }
    }

    private static void compare(Sequence sequence, Backend backend, ConnectionAccess database) {
        try {
            LibraryThread.call(() -> {
                Connection connection = BoundedConnect.obtain(database, TIMEOUT);
                OptionalInt before = AnswerLimit.set(connection, TIMEOUT, database.label());
                try {
                    backend.remember(sequence, connection, database.namespace(), database.label());
                } finally {
                    release(database, connection, before);
                }
                return true;
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The application's database must say where a sequence was counted before: " + sequence + ", "
                            + database.label() + " said: " + e.getMessage()
                            + ". If it is a pool, it must have room for a connection beside the one that is kept for ids",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while asking the application's database: " + sequence, e);
        }
    }

    private static void release(ConnectionAccess database, Connection connection, OptionalInt limit) {
        try {
            try {
                AnswerLimit.restore(connection, limit);
            } finally {
                database.release(connection);
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + database.label(), e);
        }
    }
}
