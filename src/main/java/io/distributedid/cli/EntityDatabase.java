package io.distributedid.cli;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.place.RememberedPlaces;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A database of entities, and the token by which it remembers the place of one sequence. For one thread. */
final class EntityDatabase implements AutoCloseable {

    /** Long: an operator rather waits than repeats a command, since a machine may be busy while it starts. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String label;

    private final JdbcLink<?> link;

    private final RememberedPlaces places;

    private final String idSpace;

    private EntityDatabase(String label, JdbcLink<?> link, Optional<String> namespace, String idSpace) {
        this.label = label;
        this.link = link;
        places = new RememberedPlaces(link.connection(), namespace, label);
        this.idSpace = idSpace;
    }

    /**
     * Connects to the database.
     *
     * @param namespace the schema of its tables; empty for that of the connection
     * @param idSpace the name under which it remembers the token
     */
    static EntityDatabase connect(JdbcUrl database, Optional<String> namespace, String idSpace)
            throws InterruptedException {
        try {
            JdbcLink<?> link = JdbcLink.borrow(database, TIMEOUT, TIMEOUT);
            return new EntityDatabase(database.label(), link, namespace, idSpace);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "A database of the entities "
                            + (SqlErrors.isWrongPassword(e) ? "refuses the login: " : "does not answer: ")
                            + database.label() + " said: " + FailureText.of(e),
                    e);
        }
    }

    /** Reads the token that it remembers; empty if there is none. Changes nothing. */
    Optional<String> read() {
        return call(() -> places.token(idSpace));
    }

    /** Creates the table of tokens unless it is there. Throws if the user lacks the right. */
    void prepare() {
        call(() -> {
            places.prepare();
            return label;
        });
    }

    /**
     * Writes the token of the new place.
     *
     * @param before the tokens that this database and others remembered
     * @param isTable whether also for the other sequences that remember one of these
     */
    void replace(Set<String> before, String next, boolean isTable) {
        call(() -> {
            places.replace(idSpace, before, next, isTable);
            return label;
        });
    }

    private <T> T call(SqlSupplier<T> call) {
        try {
            return call.get();
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "A database of the entities failed: " + label + " said: " + FailureText.of(e)
                            + ". Repeat the command",
                    e);
        }
    }

    @Override
    public void close() {
        link.close();
    }

    /** Its label. */
    @Override
    public String toString() {
        return label;
    }
}
