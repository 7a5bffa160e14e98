package io.distributedid.cli;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.place.SequenceTokens;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A database of entities, and the token by which it remembers the place of one sequence. For one thread. */
final class EntityDatabase implements AutoCloseable {

    /** Long: an operator rather waits than repeats a command, since a machine may be busy while it starts. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String label;

    private final JdbcLink<?> link;

    private final Optional<String> namespace;

    private final String idSpace;

    private EntityDatabase(String label, JdbcLink<?> link, Optional<String> namespace, String idSpace) {
        this.label = label;
        this.link = link;
        this.namespace = namespace;
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
        return call(() -> {
            Optional<SequenceTokens> tokens = SequenceTokens.find(link.connection(), namespace, label);
            return tokens.isEmpty()
                    ? Optional.empty()
                    : Optional.ofNullable(tokens.get().read().get(idSpace));
        });
    }

    /** Creates the table of tokens unless it is there. Throws if the user lacks the right. */
    void prepare() {
        call(() -> SequenceTokens.require(link.connection(), namespace));
    }

    /**
     * Writes the token of the new place.
     *
     * @param before the tokens that this database and others remembered
     * @param isTable whether also for the other sequences that remember one of these
     */
    void replace(Set<String> before, String next, boolean isTable) {
        Map<String, String> found =
                call(() -> SequenceTokens.require(link.connection(), namespace).read());
        found.forEach((name, token) -> {
            if (isTable && before.contains(token)) {
                replace(name, Optional.of(token), next);
            }
        });
        Optional<String> own = Optional.ofNullable(found.get(idSpace));
        replace(idSpace, own.filter(token -> !before.contains(token)).isPresent() ? Optional.empty() : own, next);
    }

    private void replace(String name, Optional<String> before, String next) {
        Optional<String> now =
                call(() -> SequenceTokens.require(link.connection(), namespace).replace(name, before, next));
        if (!now.equals(Optional.of(next))) {
            throw new IdUnavailableException("Somebody else changed what a database remembers: " + label + " seq="
                    + name + " token=" + now.orElse("none") + ", new token=" + next
                    + ". Repeat the command when the other one has ended");
        }
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
