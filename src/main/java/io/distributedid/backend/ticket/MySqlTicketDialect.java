package io.distributedid.backend.ticket;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counting.sql.MySqlTrips;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Ticket servers on MySQL and MariaDB: checks of the server and its variables. The table's engine decides how tickets
 * are drawn, see {@link InnoDbTickets} and {@link MyIsamTickets}.
 *
 * <p>Our table has the primary key {@code stub}. Flickr's has {@code id}, with which concurrent REPLACEs on InnoDB
 * deadlock. Both tables work.
 */
final class MySqlTicketDialect implements TicketDialect {

    private final boolean mariaDb;

    MySqlTicketDialect(DatabaseProduct product) {
        this.mariaDb = product == DatabaseProduct.MARIADB;
    }

    @Override
    public String ddl(TicketTable table) {
        String id = " (id " + (table.bits() == 32 ? "INT" : "BIGINT") + " UNSIGNED NOT NULL AUTO_INCREMENT";
        String rest = switch (table.style()) {
            case REPLACE -> ", stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub), KEY (id))";
            case INSERT -> ", PRIMARY KEY (id))";
        };
        return "CREATE TABLE IF NOT EXISTS " + table.name() + id + rest + " ENGINE=InnoDB";
    }

    /**
     * MySQL has a {@code server_uuid}. MariaDB has a {@code server_uid} since August 2024, so a SELECT of it fails on
     * older ones. Where it is missing or a copy, as in containers, an operator can tell servers apart by
     * {@code server_id}.
     */
    @Override
    public String address(Connection connection) throws SQLException {
        List<String> names = mariaDb
                ? List.of("server_uid", "server_id", "hostname", "port", "datadir")
                : List.of("server_uuid", "hostname", "port", "datadir");
        try (Statement statement = connection.createStatement()) {
            Map<String, String> found =
                    variables(statement, "WHERE Variable_name IN ('" + String.join("', '", names) + "')");
            return names.stream().filter(found::containsKey).map(found::get).collect(Collectors.joining(" "));
        }
    }

    @Override
    public void requireWritable(Connection connection, String label) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@global.read_only, @@global.innodb_read_only")) {
            row.next();
            if (isOn(row.getString(1)) || isOn(row.getString(2))) {
                throw new IdConfigurationException("A ticket server must be writable: " + label + " says read_only="
                        + row.getString(1) + " innodb_read_only=" + row.getString(2)
                        + ". If it is a replica, list its source in its place; else write into my.cnf: read_only=0"
                        + " innodb_read_only=0");
            }
        }
    }

    private static boolean isOn(String value) {
        return !value.equals("0") && !value.equalsIgnoreCase("OFF");
    }

    @Override
    public Numbering serverNumbering(Connection connection, String label) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Numbering numbering = numbering(statement);
            requireSetByOperator(statement, numbering, label);
            return numbering;
        }
    }

    @Override
    public Numbering sessionNumbering(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return numbering(statement);
        }
    }

    private static Numbering numbering(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT @@auto_increment_increment, @@auto_increment_offset")) {
            row.next();
            return new Numbering(row.getLong(1), row.getLong(2));
        }
    }

    /** A cluster that numbers its members by itself changes the numbering when a member leaves. */
    private static void requireSetByOperator(Statement statement, Numbering numbering, String label)
            throws SQLException {
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

    @Override
    public TicketCounter counter(TicketCounter.Place place, String label) throws SQLException {
        MySqlTicketTable found = MySqlTicketTable.read(place.connection(), place.table(), label);
        MySqlTicketStatements statements =
                MySqlTicketStatements.of(place, found.largest(), MySqlTrips.on(place.connection()));
        return found.isTransactional()
                ? new InnoDbTickets(place, statements, !mariaDb)
                : new MyIsamTickets(place, statements);
    }

    @Override
    public Map<TicketTable, Function<TicketCounter.Place, TicketCounter>> counters(
            Connection connection, List<TicketTable> tables, boolean create, String label) throws SQLException {
        MySqlTrips trips = MySqlTrips.on(connection);
        Map<TicketTable, Function<TicketCounter.Place, TicketCounter>> counters = new LinkedHashMap<>();
        new MySqlTicketTables(trips, label, create ? Optional.of(this::ddl) : Optional.empty())
                .read(tables)
                .forEach((table, found) -> counters.put(
                        table,
                        place -> new InnoDbTickets(
                                place, MySqlTicketStatements.of(place, found.largest(), trips), !mariaDb)));
        return counters;
    }

    /** Strict mode: without it, a server at the end of a column gives the largest number again and again. */
    @Override
    public String prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String before;
            try (ResultSet row = statement.executeQuery("SELECT @@sql_mode")) {
                row.next();
                before = row.getString(1);
            }
            statement.execute("SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')");
            return before;
        }
    }

    @Override
    public void restore(Connection connection, Numbering server, String prepared) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION auto_increment_increment = " + server.increment()
                    + ", auto_increment_offset = " + server.offset() + ", sql_mode = '" + prepared + "'");
        }
    }
}
