package io.distributedid.internal.ledger;

import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Identifies the server and the schema of a table. Replicas and copies, which may lack the last ids, have another
 * identity.
 *
 * <ul>
 *   <li>MySQL: {@code server_uuid}, and the name of the database, in lower case where names ignore case;
 *   <li>MariaDB: {@code server_id}, which replication requires to differ, and the name of the database;
 *   <li>Group Replication and Galera: the cluster instead of the server, since a member that takes over has all that
 *       was committed;
 *   <li>PostgreSQL: the system identifier; the timeline, which changes with each promotion and point-in-time recovery;
 *       and the {@code oid} of the database and the schema, which a copy can't have, even under the old name;
 *   <li>H2: the schema. It has no replicas.
 * </ul>
 *
 * <p>A byte copy of a data directory keeps its identity.
 */
public final class ServerIdentity {

    private static final Logger LOG = System.getLogger(ServerIdentity.class.getName());

    /** So short that the identities of all servers of a list fit into one row of the ledger. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.$-]{1,40}");

    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private ServerIdentity() {}

    /**
     * Asks a server. {@code table} exists there.
     *
     * @return at most 100 ASCII characters; empty if the server does not tell
     */
    public static String of(Connection connection, DatabaseProduct product, String table) throws SQLException {
        return switch (product) {
            case MYSQL, MARIADB -> ofMySql(connection, product) + schemaOnMySql(connection, table);
            case POSTGRESQL -> ofPostgreSql(connection, table);
            case H2 -> "h2" + schema(schema(connection, table, "CALL SCHEMA()").toUpperCase(Locale.ROOT));
        };
    }

    /**
     * An SQL condition that is true as long as a connection leads to the server that {@link #of} has asked. A proxy may
     * exchange the server behind a connection that stays.
     */
    public static String condition(String identity) {
        String[] words = identity.split(" ", -1);
        return switch (words[0]) {
            case "server_uuid" -> "@@server_uuid = '" + words[1] + "'";
            case "server_id" -> "@@GLOBAL.server_id = " + words[1];
            case "group" -> "@@group_replication_group_name = '" + words[1] + "'";
            case "system" ->
                "(SELECT system_identifier FROM pg_control_system()) = " + words[1]
                        + " AND substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) = '" + words[3] + "'";
            default -> "1 = 1";
        };
    }

    /**
     * The place of the first server of a list that has the identity of one before it, so that nothing tells the two
     * apart. Identities that are unknown, and those of H2, are not compared.
     */
    public static OptionalInt sameAsBefore(List<String> identities) {
        return IntStream.range(0, identities.size())
                .filter(i -> !identities.get(i).isEmpty() && !identities.get(i).startsWith("h2 "))
                .filter(i -> identities.indexOf(identities.get(i)) < i)
                .findFirst();
    }

    private static String schemaOnMySql(Connection connection, String table) throws SQLException {
        String name = schema(connection, table, "SELECT DATABASE()");
        boolean isCaseSensitive = connection.getMetaData().supportsMixedCaseIdentifiers();
        return schema(isCaseSensitive ? name : name.toLowerCase(Locale.ROOT));
    }

    private static String schema(Connection connection, String table, String current) throws SQLException {
        int end = table.lastIndexOf('.');
        if (end >= 0) {
            return table.substring(table.lastIndexOf('.', end - 1) + 1, end);
        }
        return Queries.text(connection, current).orElseThrow();
    }

    /** A server might cut or change a long or non-ASCII name when it stores it; the name would never match again. */
    private static String schema(String name) {
        return " schema "
                + (PLAIN.matcher(name).matches()
                        ? name
                        : UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
                                .toString());
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
        Queries.each(
                connection,
                sql,
                List.of(),
                row -> values.put(row.getString(1), Objects.requireNonNullElse(row.getString(2), "")));
        return values;
    }

    private static String ofPostgreSql(Connection connection, String table) throws SQLException {
        try {
            return Queries.text(
                            connection,
                            "SELECT 'system ' || s.system_identifier"
                                    + " || ' timeline ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
                                    + " || ' database ' || d.oid || ' schema ' || c.relnamespace"
                                    + " FROM pg_control_system() s, pg_database d, pg_class c"
                                    + " WHERE d.datname = current_database() AND c.oid = to_regclass(?)",
                            table)
                    .orElseThrow(() -> new SQLException("The table is missing: " + table));
        } catch (SQLException e) {
            if (SqlErrors.isSyntaxOrAccess(e)) {
                if (!WARNED.getAndSet(true)) {
                    LOG.log(
                            Level.WARNING,
                            "A failover to a replica will not be noticed: the user has no right to read the system"
                                    + " identifier and timeline of a PostgreSQL server. GRANT EXECUTE ON FUNCTION"
                                    + " pg_control_system() TO the user. The server said: {0}",
                            e.getMessage());
                }
                return "";
            }
            throw e;
        }
    }
}
