package io.distributedid.hibernate;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.SqlStates;
import io.distributedid.internal.counter.SequenceTokens;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the id space of each sequence with the one that the database of its entities remembers. It refuses a sequence whose counter
 * has another place than before: another table, another server, an empty copy. While instances with the old settings run, both
 * places would give the same ids. Databases without our record, or without the right to it, are warned of.
 */
final class IdSpaceCheck {

    private static final Logger LOG = System.getLogger(IdSpaceCheck.class.getName());

    private IdSpaceCheck() {}

    /**
     * Looks at sequences that are open.
     *
     * @throws IdConfigurationException if one takes its ids from another id space than before
     */
    static void check(
            Set<String> sequences, Connection connection, Optional<String> namespace, String label, DistributedIds ids)
            throws SQLException {
        Map<String, String> tokens = new TreeMap<>();
        sequences.forEach(sequence -> ids.token(sequence).ifPresent(token -> tokens.put(sequence, token)));
        if (tokens.isEmpty()) {
            return;
        }
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            // A pool may lend connections whose work is lost unless it is committed.
            connection.setAutoCommit(true);
        }
        try {
            compare(tokens, connection, namespace, label, ids);
        } finally {
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
        }
    }

    private static void compare(
            Map<String, String> tokens,
            Connection connection,
            Optional<String> namespace,
            String label,
            DistributedIds ids)
            throws SQLException {
        SequenceTokens remembered = open(connection, namespace, label);
        if (remembered == null) {
            return;
        }
        Map<String, String> before = remembered.read();
        for (Map.Entry<String, String> each : tokens.entrySet()) {
            String idSpace = ids.idSpace(each.getKey());
            String known = before.get(idSpace);
            if (known == null) {
                known = add(remembered, idSpace, each.getValue(), label);
            }
            if (!known.equals(each.getValue())) {
                boolean leased = ids.statistics(each.getKey())
                        .flatMap(SequenceStatistics::worker)
                        .isPresent();
                throw new IdConfigurationException("A sequence takes its "
                        + (leased ? "worker numbers" : "ids") + " from another place than before: seq=" + each.getKey()
                        + " token=" + each.getValue() + ", but " + label + " holds ids of token=" + known
                        + (leased ? movedWorkers(each.getKey()) : movedCounter(each.getKey())));
            }
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
            if (!SqlStates.isReadOnly(e)) {
                throw e;
            }
            warn(label, e);
            return null;
        }
    }

    private static String add(SequenceTokens remembered, String sequence, String token, String label)
            throws SQLException {
        try {
            return remembered.add(sequence, token);
        } catch (SQLException e) {
            if (!SqlStates.isSyntaxOrAccess(e) && !SqlStates.isReadOnly(e)) {
                throw e;
            }
            warn(label, e);
            return token;
        }
    }

    private static void warn(String label, Exception e) {
        LOG.log(
                Level.WARNING,
                "The database of the entities can''t remember where ids come from, so that nobody notices a counter whose place was"
                        + " changed: {0} said: {1}",
                label,
                e.getMessage());
    }

    private static String movedCounter(String sequence) {
        return ". Check the settings of servers, schema and table. If the place has moved, stop the instances with the old settings"
                + " and run: distributedid adopt " + sequence
                + " --retire OLD.properties --database URL; if the database is a"
                + " copy: distributedid adopt " + sequence + " --database URL";
    }

    private static String movedWorkers(String sequence) {
        return ". Check the settings of snowflake.lease. If the place is to move while instances run, set"
                + " distributedid.snowflake.lease.moving_from.* to the old one. If all instances were stopped, and their windows are"
                + " over, or the database is a copy: distributedid adopt " + sequence + " --database URL";
    }
}
