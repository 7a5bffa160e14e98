package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.sql.Writability;
import io.distributedid.internal.jdbc.MySqlTrips;
import io.distributedid.internal.jdbc.ServerVersion;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

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
                    + " innodb_read_only=0" + Pages.onCall("read-only"));
        }
        MySqlTrips trips = MySqlTrips.on(connection);
        List<Object> row = rows(trips, "SELECT @@auto_increment_increment, @@auto_increment_offset, @@sql_mode")
                .get(0);
        Numbering before = new Numbering(UnsignedColumn.of(row.get(0)), UnsignedColumn.of(row.get(1)));
        if (byClient.isEmpty()) {
            requireSetByOperator(trips, before, label);
        }
        trips.run(List.of("SET SESSION sql_mode = CONCAT(@@sql_mode, '" + MODES + "')"));
        return new MySqlTicketServer(connection, trips, byClient.orElse(before), before, String.valueOf(row.get(2)));
    }

    private static List<List<Object>> rows(MySqlTrips trips, String query) throws SQLException {
        return trips.run(List.of(query)).get(0);
    }

    private static void requireVersion(Connection connection, DatabaseProduct product) throws SQLException {
        boolean isMariaDb = product == DatabaseProduct.MARIADB;
        ServerVersion oldest = isMariaDb ? new ServerVersion(10, 2, 4) : new ServerVersion(8, 0, 0);
        if (!ServerVersion.of(connection).isAtLeast(oldest)) {
            throw new IdConfigurationException("A ticket server must keep its counter across a restart: "
                    + (isMariaDb ? "MariaDB" : "MySQL") + " version="
                    + connection.getMetaData().getDatabaseProductVersion() + ", allowed: "
                    + (isMariaDb ? "10.2.4" : "8.0") + " or later. Upgrade it, or use a sequence table");
        }
    }

    /** A cluster that numbers its members by itself changes the numbering when a member leaves. */
    private static void requireSetByOperator(MySqlTrips trips, Numbering numbering, String label) throws SQLException {
        if (numbering.offset() > numbering.increment()) {
            throw new IdConfigurationException("A ticket server ignores an offset above its increment: " + label
                    + " says " + numbering + ". In my.cnf, give all servers the same auto_increment_increment, at least"
                    + " the number of servers, and each its own auto_increment_offset, at most the increment; or set"
                    + " distributedid.ticket.numbering=client in all applications");
        }
        Map<String, String> variables = new HashMap<>();
        rows(
                        trips,
                        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_auto_increment_increment',"
                                + " 'wsrep_on', 'wsrep_auto_increment_control')")
                .forEach(each -> variables.put(String.valueOf(each.get(0)), String.valueOf(each.get(1))));
        String group = variables.getOrDefault("group_replication_auto_increment_increment", "");
        if (!group.isEmpty() && numbering.increment() > 1 && isNeitherConfiguredNorSet(trips)) {
            throw automatic(
                    label + " says " + numbering + ", which Group Replication set by itself"
                            + " (group_replication_auto_increment_increment=" + group
                            + ") and takes back when the server leaves the group",
                    "");
        }
        if (isOn(variables, "wsrep_on") && isOn(variables, "wsrep_auto_increment_control")) {
            throw automatic(
                    label + " says " + numbering + ", which Galera set by itself (wsrep_auto_increment_control=ON) and"
                            + " changes when a member comes or goes",
                    " wsrep_auto_increment_control=OFF");
        }
    }

    private static boolean isOn(Map<String, String> variables, String name) {
        return List.of("1", "ON").contains(variables.getOrDefault(name, "OFF").toUpperCase(Locale.ROOT));
    }

    private static boolean isNeitherConfiguredNorSet(MySqlTrips trips) throws SQLException {
        return rows(
                        trips,
                        "SELECT VARIABLE_SOURCE FROM performance_schema.variables_info"
                                + " WHERE VARIABLE_NAME = 'auto_increment_increment'")
                .contains(List.of("COMPILED"));
    }

    private static IdConfigurationException automatic(String who, String furtherSettings) {
        return new IdConfigurationException("A ticket server's numbering must be set by its operator: " + who
                + ". Write into my.cnf: auto_increment_increment=<10, the same on all servers>"
                + " auto_increment_offset=<1 for the first>" + furtherSettings
                + ", restart the server; or set distributedid.ticket.numbering=client in all applications");
    }

    void restore() throws SQLException {
        trips.run(List.of("SET SESSION auto_increment_increment = " + before.increment() + ", auto_increment_offset = "
                + before.offset() + ", sql_mode = '" + mode + "'"));
    }
}
