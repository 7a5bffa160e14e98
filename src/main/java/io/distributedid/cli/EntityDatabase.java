package io.distributedid.cli;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.DedicatedConnection.Work;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.place.RememberedPlaces;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A database of entities, and the token by which it remembers the place of one sequence. Connects for each call.
 *
 * @param namespace the schema of its tables; empty for that of the connection
 * @param idSpace the name under which it remembers the token
 */
record EntityDatabase(JdbcUrl database, Optional<String> namespace, String idSpace) {

    /** Long: an operator rather waits than repeats a command, since a machine may be busy while it starts. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Reads the token that it remembers; empty if there is none. Changes nothing. */
    Optional<String> read() {
        return call(places -> places.token(idSpace));
    }

    /** Creates the table of tokens unless it is there. Throws if the user lacks the right. */
    void prepare() {
        boolean unused = call(places -> {
            places.prepare();
            return true;
        });
    }

    /**
     * Writes the token of the new place.
     *
     * @param before the tokens that this database and others remembered
     * @param others whether also for another sequence that remembers one of these
     */
    void replace(Set<String> before, String next, Predicate<String> others) {
        boolean unused = call(places -> {
            places.replace(idSpace, before, next, others);
            return true;
        });
    }

    private <T> T call(Work<RememberedPlaces, T> work) {
        return call(
                database,
                "A database of the entities failed: ",
                TIMEOUT,
                connection -> work.in(new RememberedPlaces(connection, namespace, database.label())));
    }

    /**
     * Works on a connection.
     *
     * @param failed what an error begins with
     * @param answers how long it waits for each answer
     */
    static <T> T call(JdbcUrl database, String failed, Duration answers, Work<Connection, T> work) {
        try (JdbcLink<?> link = JdbcLink.borrow(database, TIMEOUT, answers)) {
            return work.in(link.connection());
        } catch (SQLException e) {
            String said = database.label() + " said: " + FailureText.of(e);
            throw new IdUnavailableException(
                    SqlErrors.isWrongPassword(e)
                            ? "A database of the entities refuses the login: " + said
                                    + ". Give --user, and its password in DISTRIBUTEDID_DATABASE_PASSWORD"
                            : failed + said + ". Fix this, and repeat the command",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the command", e);
        }
    }
}
