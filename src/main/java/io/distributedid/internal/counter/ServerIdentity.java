package io.distributedid.internal.counter;

import io.distributedid.internal.DatabaseProduct;
import io.distributedid.internal.SqlStates;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What tells a server from its replicas, which may lack the ids that it gave last:
 *
 * <ul>
 *   <li>MySQL: {@code server_uuid};
 *   <li>MariaDB: {@code server_id}, which replication requires to differ;
 *   <li>Group Replication and Galera: the cluster, since a member that takes over has all that was committed;
 *   <li>PostgreSQL: the system identifier and the timeline, which is a new one after each promotion and point-in-time recovery;
 *   <li>H2: always the same, since it has no replicas.
 * </ul>
 *
 * <p>A byte copy of a data directory keeps its identity.
 */
public final class ServerIdentity {

    private static final Logger LOG = System.getLogger(ServerIdentity.class.getName());

    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private ServerIdentity() {}

    /**
     * Asks a server.
     *
     * @param connection to it
     * @param product of it
     * @return at most 100 characters; empty if it does not tell
     * @throws SQLException if the server failed
     */
    public static String of(Connection connection, DatabaseProduct product) throws SQLException {
        return switch (product) {
            case MYSQL, MARIADB -> ofMySql(connection, product);
            case POSTGRESQL -> ofPostgreSql(connection);
            case H2 -> "h2";
        };
    }

    private static String ofMySql(Connection connection, DatabaseProduct product) throws SQLException {
        Map<String, String> variables = read(
                connection,
                "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'server_id', 'wsrep_on',"
                        + " 'group_replication_group_name')");
        String group = variables.getOrDefault("group_replication_group_name", "");
        if (!group.isEmpty()) {
            return "group " + group;
        }
        if (variables.getOrDefault("wsrep_on", "OFF").equalsIgnoreCase("ON")) {
            String cluster = read(connection, "SHOW GLOBAL STATUS LIKE 'wsrep_cluster_state_uuid'")
                    .getOrDefault("wsrep_cluster_state_uuid", "");
            if (!cluster.isEmpty()) {
                return "galera " + cluster;
            }
        }
        return product == DatabaseProduct.MYSQL
                ? "server_uuid " + variables.getOrDefault("server_uuid", "")
                : "server_id " + variables.getOrDefault("server_id", "");
    }

    private static Map<String, String> read(Connection connection, String sql) throws SQLException {
        Map<String, String> values = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                String value = row.getString(2);
                values.put(row.getString(1), value == null ? "" : value);
            }
        }
        return values;
    }

    private static String ofPostgreSql(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT system_identifier || ' timeline ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
                                + " FROM pg_control_system()")) {
            row.next();
            return "system " + row.getString(1);
        } catch (SQLException e) {
            if (SqlStates.isSyntaxOrAccess(e)) {
                if (!WARNED.getAndSet(true)) {
                    LOG.log(
                            Level.WARNING,
                            "A PostgreSQL server does not tell its system identifier and timeline, so that a failover to a"
                                    + " replica is not noticed: GRANT EXECUTE ON FUNCTION pg_control_system() TO the user."
                                    + " The server said: {0}",
                            e.getMessage());
                }
                return "";
            }
            throw e;
        }
    }
}
