package io.distributedid.internal.place;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.SqlErrors;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares the id space of each sequence with the one that the database of its entities remembers. Refuses a sequence
 * whose counter has another place than before: another table, another server, an empty copy. While instances with the
 * old settings run, both places would give the same ids. If the database has no record, or the user no right to it,
 * logs a warning.
 */
public final class IdSpaceCheck {

    private static final Logger LOG = System.getLogger(IdSpaceCheck.class.getName());

    /** The end of an error at start about existing ids: what to do in development, after a change of the backend. */
    public static final String RESET = ". For disposable data only: drop all tables of the entities' database, also "
            + RecordTable.NAME + ", which hibernate.hbm2ddl.auto=create leaves; or delete its file";

    private IdSpaceCheck() {}

    /**
     * An id space, as a database of entities remembers it.
     *
     * @param name under which a database of entities remembers it, see {@link io.distributedid.spi.Backend#idSpace}
     * @param token random and unique
     * @param isLeased whether worker numbers are leased there
     */
    public record IdSpace(String name, String token, boolean isLeased) {}

    /** As below, for sequences that count. {@code tokenOf} is empty if the id space is unknown. */
    public static void check(
            Set<String> sequences,
            Connection connection,
            Optional<String> namespace,
            String label,
            Function<String, Optional<String>> tokenOf)
            throws SQLException {
        Map<String, IdSpace> spaces = new TreeMap<>();
        sequences.forEach(sequence ->
                tokenOf.apply(sequence).ifPresent(token -> spaces.put(sequence, new IdSpace(sequence, token, false))));
        check(spaces, connection, namespace, label);
    }

    /**
     * Checks open sequences.
     *
     * @param spaces by the names of the sequences
     * @param connection to the database of their entities
     * @param namespace the schema or catalog of its tables; empty for that of the connection
     * @param label names that database in messages
     * @throws IdConfigurationException if a sequence takes its ids from another id space than before
     */
    public static void check(
            Map<String, IdSpace> spaces, Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        if (spaces.isEmpty()) {
            return;
        }
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            // Writes on a connection from a pool may be lost without a commit.
            connection.setAutoCommit(true);
        }
        try {
            compare(spaces, connection, namespace, label);
        } finally {
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
        }
    }

    private static void compare(
            Map<String, IdSpace> spaces, Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        SequenceTokens remembered = open(connection, namespace, label);
        if (remembered == null) {
            return;
        }
        Map<String, String> known = remembered.read();
        requireSame(spaces, known, label);
        Map<String, String> missing = new TreeMap<>();
        spaces.values().stream()
                .filter(space -> !known.containsKey(space.name))
                .forEach(space -> missing.putIfAbsent(space.name, space.token));
        if (!missing.isEmpty()) {
            requireSame(spaces, add(remembered, missing, label), label);
        }
    }

    private static void requireSame(Map<String, IdSpace> spaces, Map<String, String> tokens, String label) {
        for (Map.Entry<String, IdSpace> each : spaces.entrySet()) {
            IdSpace space = each.getValue();
            String known = tokens.get(space.name);
            if (known == null || space.token.equals(known)) {
                continue;
            }
            String sequence = each.getKey();
            throw new IdConfigurationException("A sequence takes its "
                    + (space.isLeased ? "worker numbers" : "ids") + " from another place than before: seq="
                    + sequence + " token=" + space.token + ", but " + label + " holds ids of token=" + known
                    + (space.isLeased ? movedWorkers(sequence) : movedCounter(sequence)) + RESET);
        }
    }

    private static @Nullable SequenceTokens open(Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        try {
            return SequenceTokens.of(connection, namespace, label).orElse(null);
        } catch (IdConfigurationException e) {
            warn(label, e);
            return null;
        } catch (SQLException e) {
            if (!SqlErrors.isReadOnly(e)) {
                throw e;
            }
            warn(label, e);
            return null;
        }
    }

    private static Map<String, String> add(SequenceTokens remembered, Map<String, String> tokens, String label)
            throws SQLException {
        try {
            return remembered.add(tokens);
        } catch (SQLException e) {
            if (!SqlErrors.isSyntaxOrAccess(e) && !SqlErrors.isReadOnly(e)) {
                throw e;
            }
            warn(label, e);
            return tokens;
        }
    }

    private static void warn(String label, Exception e) {
        LOG.log(
                Level.WARNING,
                "The database of the entities can''t remember where ids come from. Another place of a counter will not"
                        + " be noticed: {0} said: {1}",
                label,
                e.getMessage());
    }

    private static String movedCounter(String sequence) {
        return ". Check the settings of servers, schema and table. If the place has moved, stop the instances with the"
                + " old settings and run: distributedid move " + sequence
                + " --from OLD.properties --database URL; if the counters were lost, or the database is a copy:"
                + " distributedid move " + sequence + " --new-space --above <largest id in use> --database URL";
    }

    private static String movedWorkers(String sequence) {
        return ". Check the settings of snowflake.lease. If the place is to move while instances run, set"
                + " distributedid.snowflake.lease.moving_from.* to the old one. If all instances were stopped, and"
                + " their windows are over, or the database is a copy: distributedid move " + sequence
                + " --new-space --database URL";
    }
}
