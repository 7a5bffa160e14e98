package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counting.Numbering;
import io.distributedid.internal.counting.sql.MySqlTrips;
import io.distributedid.internal.counting.sql.ServerVersion;
import io.distributedid.internal.counting.sql.Writability;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A connection to a ticket server on MySQL or MariaDB that was checked: the server keeps its counters over a restart,
 * accepts changes, and has a numbering that nobody changes by himself.
 *
 * @param numbering the server's part of the numbers
 * @param before what {@link #restore} sets again
 * @param mode the former {@code sql_mode}
 */
record MySqlTicketServer(Connection connection, MySqlTrips trips, Numbering numbering, Numbering before, String mode) {

    /**
     * The modes that tickets need. Without the first, a server at the end of a column gives the largest number again
     * and again. Without the second, 0 could not be written, which stands for a table that gave no id yet.
     */
    private static final String MODES = ",STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO";

    /** @param byClient the numbering that this client sets; empty if the server's own applies */
    static MySqlTicketServer of(
            Connection connection, DatabaseProduct product, String label, Optional<Numbering> byClient)
            throws SQLException {
        requireVersion(connection, product);
        Optional<Writability> missing = Writability.missing(connection);
        if (missing.isPresent()) {
            throw new IdConfigurationException("A ticket server must be writable: " + label + " says "
                    + missing.get().readOnly()
                    + ". If it is a replica, list its source in its place; else write into my.cnf: read_only=0"
                    + " innodb_read_only=0");
        }
        try (Statement statement = connection.createStatement()) {
            Numbering before;
            String mode;
            try (ResultSet row =
                    statement.executeQuery("SELECT @@auto_increment_increment, @@auto_increment_offset, @@sql_mode")) {
                row.next();
                before = new Numbering(row.getLong(1), row.getLong(2));
                mode = row.getString(3);
            }
            if (byClient.isEmpty()) {
                requireSetByOperator(statement, before, label);
            }
            statement.execute("SET SESSION sql_mode = CONCAT(@@sql_mode, '" + MODES + "')");
            return new MySqlTicketServer(connection, MySqlTrips.on(connection), byClient.orElse(before), before, mode);
        }
    }

    private static void requireVersion(Connection connection, DatabaseProduct product) throws SQLException {
        boolean isMariaDb = product == DatabaseProduct.MARIADB;
        ServerVersion oldest = isMariaDb ? new ServerVersion(10, 2, 4) : new ServerVersion(8, 0, 0);
        if (!ServerVersion.of(connection).isAtLeast(oldest)) {
            throw new IdConfigurationException("A ticket server must keep its counter over a restart: "
                    + (isMariaDb ? "MariaDB" : "MySQL") + " version="
                    + connection.getMetaData().getDatabaseProductVersion() + ", allowed: "
                    + (isMariaDb ? "10.2.4" : "8.0") + " or later. Upgrade it, or use a sequence table");
        }
    }

    /** A cluster that numbers its members by itself changes the numbering when a member leaves. */
    private static void requireSetByOperator(Statement statement, Numbering numbering, String label)
            throws SQLException {
        if (numbering.offset() > numbering.increment()) {
            throw new IdConfigurationException("A ticket server ignores an offset above its increment: " + label
                    + " says " + numbering + ". Write into my.cnf the same auto_increment_increment on all servers, at"
                    + " least their number, and another auto_increment_offset on each, up to that; or set"
                    + " distributedid.ticket.numbering=client in all applications");
        }
        Map<String, String> group = variables(statement, "LIKE 'group_replication_auto_increment_increment'");
        if (!group.isEmpty() && numbering.increment() > 1 && isNeitherConfiguredNorSet(statement)) {
            throw automatic(
                    label, numbering, "Group Replication", group, "", "takes back when the server leaves the group");
        }
        Map<String, String> galera = variables(statement, "LIKE 'wsrep_%on%'");
        if (isOn(galera.getOrDefault("wsrep_on", "OFF"))
                && isOn(galera.getOrDefault("wsrep_auto_increment_control", "OFF"))) {
            throw automatic(
                    label,
                    numbering,
                    "Galera",
                    Map.of("wsrep_auto_increment_control", "ON"),
                    " wsrep_auto_increment_control=OFF",
                    "changes when a member comes or goes");
        }
    }

    private static boolean isOn(String value) {
        return !value.equals("0") && !value.equalsIgnoreCase("OFF");
    }

    private static boolean isNeitherConfiguredNorSet(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT VARIABLE_SOURCE FROM performance_schema.variables_info"
                + " WHERE VARIABLE_NAME = 'auto_increment_increment'")) {
            return row.next() && row.getString(1).equals("COMPILED");
        }
    }

    private static Map<String, String> variables(Statement statement, String which) throws SQLException {
        Map<String, String> variables = new TreeMap<>();
        try (ResultSet row = statement.executeQuery("SHOW GLOBAL VARIABLES " + which)) {
            while (row.next()) {
                variables.put(row.getString(1), row.getString(2));
            }
        }
        return variables;
    }

    private static IdConfigurationException automatic(
            String label,
            Numbering numbering,
            String cluster,
            Map<String, String> variables,
            String furtherSettings,
            String change) {
        return new IdConfigurationException("A ticket server's numbering must be set by its operator: " + label
                + " says " + numbering + ", which " + cluster + " set by itself (" + variables + ") and " + change
                + ". Write into my.cnf: auto_increment_increment=<10, the same on all servers>"
                + " auto_increment_offset=<1 for the first>" + furtherSettings
                + ", restart the server; or set distributedid.ticket.numbering=client in"
                + " all applications");
    }

    void restore() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION auto_increment_increment = " + before.increment()
                    + ", auto_increment_offset = " + before.offset() + ", sql_mode = '" + mode + "'");
        }
    }
}
