package io.distributedid.internal.registry;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.SequenceTokens;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Compares the place of a counter with the place that each database of the application has stored, see
 * {@link Backend#remember}, each time when its sequence is opened: at its first use, and after each resume, since the
 * place may have been adopted while the process was suspended. Without such a database it logs one warning.
 * Thread-safe.
 *
 * <p>A place is stored only if no database refuses it. So each is read first, and if one of them has stored none, the
 * {@link OtherDatabases} too: they may have stored another one under other settings.
 */
final class TokenCheck {

    private static final Logger LOG = System.getLogger(TokenCheck.class.getName());

    private final List<ConnectionAccess> databases;

    private final OtherDatabases others;

    private final Predicate<String> comparedByCaller;

    private final AtomicBoolean warned = new AtomicBoolean();

    /** @param comparedByCaller asked at each opening of a sequence; if true, this class does nothing */
    TokenCheck(List<ConnectionAccess> databases, OtherDatabases others, Predicate<String> comparedByCaller) {
        this.databases = databases;
        this.others = others;
        this.comparedByCaller = comparedByCaller;
    }

    /** Throws if the sequence was counted in another place before. Called before the first id. */
    void check(Sequence sequence, Backend backend) {
        if (comparedByCaller.test(sequence.name())) {
            return;
        }
        Optional<String> token = backend.token(sequence);
        if (token.isEmpty() || isStored(sequence, backend, token.get())) {
            return;
        }
        databases.forEach(each -> remember(sequence, backend, each));
        if (databases.isEmpty() && !warned.getAndSet(true)) {
            LOG.log(
                    Level.WARNING,
                    "No database stores where the ids of a sequence come from: seq={0}. If servers, table, schema or"
                            + " ticket.bits are changed while instances with the old settings run, both places give the"
                            + " same ids. Let the application''s database store the place:"
                            + " DistributedIds.Builder.applicationDatabase, or an entity of Hibernate that uses the"
                            + " sequence. Or compare ids.token(\"{0}\") with its former value, and call"
                            + " Builder.tokensComparedByCaller. To change the place: distributedid adopt {0}",
                    sequence.name());
        }
    }

    /** False if {@link #remember} must store it. One database alone compares it when it stores it. */
    private boolean isStored(Sequence sequence, Backend backend, String token) {
        if (databases.size() < 2 && others.isEmpty()) {
            return false;
        }
        OtherDatabases.Look look = (connection, database) -> isStored(sequence, backend, token, connection, database);
        boolean isStored = !databases.isEmpty();
        for (ConnectionAccess each : databases) {
            isStored &= ask(sequence, each, look);
        }
        if (isStored) {
            return true;
        }
        boolean isKnown = others.any(sequence, !databases.isEmpty(), look);
        return isKnown && databases.isEmpty();
    }

    private static boolean isStored(
            Sequence sequence, Backend backend, String token, Connection connection, ConnectionAccess database)
            throws SQLException {
        String stored = SequenceTokens.read(connection, database.namespace(), database.label())
                .get(backend.idSpace(sequence));
        if (stored != null && !stored.equals(token)) {
            // Throws, with the backend's own words.
            backend.remember(sequence, connection, database.namespace(), database.label());
        }
        return stored != null;
    }

    private static void remember(Sequence sequence, Backend backend, ConnectionAccess database) {
        ask(sequence, database, (connection, each) -> {
            backend.remember(sequence, connection, each.namespace(), each.label());
            return true;
        });
    }

    private static boolean ask(Sequence sequence, ConnectionAccess database, OtherDatabases.Look look) {
        try {
            return OtherDatabases.ask(sequence, database, look);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "Can't read from the application's database where a sequence was counted before: " + sequence + ", "
                            + database.label() + " said: " + FailureText.of(e)
                            + ". If it is a pool, it must have room for a connection beside the one that is kept for"
                            + " ids",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while asking the application's database: " + sequence, e);
        }
    }
}
