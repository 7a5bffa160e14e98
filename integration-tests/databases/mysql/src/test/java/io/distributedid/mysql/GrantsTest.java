package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The privileges that the documentation lists are enough. */
@Needs(Need.MYSQL)
class GrantsTest {

    private static final String SCHEMA = "privileges";

    private static final String USER = "distributedid.ticket.user";

    private final MySqlServer server = MySqlServers.odd();

    @Test
    void ticketsNeedSelectInsertAndDelete() throws SQLException {
        createTables(Map.of("distributedid.backend", "ticket"));
        execute(
                "CREATE USER tickets IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, DELETE ON " + SCHEMA + ".Tickets64 TO tickets",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".distributedid TO tickets");

        assertThat(first("ticket", Map.of())).isPositive();
    }

    @Test
    void ticketsOfMyIsamNeedTheSame() throws SQLException {
        createTables(Map.of("distributedid.backend", "ticket"));
        execute(
                "CREATE TABLE TicketsMyIsam (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                        + " stub CHAR(1) NOT NULL DEFAULT '' UNIQUE) ENGINE=MyISAM",
                "CREATE USER myisam IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, DELETE ON " + SCHEMA + ".TicketsMyIsam TO myisam",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".distributedid TO myisam");

        assertThat(first("ticket", Map.of("distributedid.ticket.table", "TicketsMyIsam", USER, "myisam")))
                .isPositive();
    }

    @Test
    void aSequenceTableNeedsSelectInsertAndUpdate() throws SQLException {
        createTables(Map.of("distributedid.backend", "sequence_table"));
        execute(
                "CREATE USER sequence_table IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".sequence TO sequence_table",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".distributedid TO sequence_table");

        assertThat(first("sequence_table", Map.of())).isPositive();
    }

    @Test
    void clientsThatNumberTheServersNeedTheSame() throws SQLException {
        createTables(Map.of("distributedid.backend", "ticket", "distributedid.ticket.table", "ByClient"));
        execute(
                "CREATE USER by_client IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, DELETE ON " + SCHEMA + ".ByClient TO by_client",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".distributedid TO by_client");

        assertThat(first(
                        "ticket",
                        Map.of(
                                "distributedid.ticket.numbering",
                                "client",
                                "distributedid.ticket.table",
                                "ByClient",
                                USER,
                                "by_client")))
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "sequence_table"})
    void withoutARightToTheLedgerAClientIsRefusedWithTheGrant(String backend) throws SQLException {
        String table = "no_ledger_" + backend;
        Map<String, String> settings =
                Map.of("distributedid." + backend + ".table", table, "distributedid." + backend + ".user", table);
        createTables(Map.of("distributedid.backend", backend, "distributedid." + backend + ".table", table));
        execute(
                "CREATE USER " + table + " IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON " + SCHEMA + "." + table + " TO " + table);
        String grant = "GRANT SELECT, INSERT, UPDATE ON distributedid to the user";

        for (String right : new String[] {"SELECT", "INSERT", "UPDATE"}) {
            assertThatThrownBy(() -> first(backend, settings))
                    .as("without " + right)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The ledger beside the ids ")
                    .hasMessageContaining(grant);
            execute("GRANT " + right + " ON " + SCHEMA + ".distributedid TO " + table);
        }
        assertThat(first(backend, settings)).isPositive();
    }

    @Test
    void leasesNeedSelectInsertAndUpdate() throws SQLException {
        Map<String, String> owner = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                server.jdbcUrl(SCHEMA),
                "distributedid.snowflake.lease.table",
                "leases",
                "distributedid.create_tables",
                "true");
        try (DistributedIds ids = DistributedIds.create(owner)) {
            assertThat(ids.admin().token("photos")).as("begins the store").isPresent();
        }
        execute(
                "CREATE USER leases IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".leases TO leases");
        Map<String, String> settings = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                url(),
                "distributedid.snowflake.lease.table",
                "leases",
                "distributedid.snowflake.lease.user",
                "leases",
                "distributedid.snowflake.lease.password",
                "secret");

        for (int start = 0; start < 2; start++) {
            try (DistributedIds ids = DistributedIds.create(settings)) {
                assertThat(ids.decode("photos", ids.next("photos")).field("worker"))
                        .as("handed back in between")
                        .isZero();
            }
        }
    }

    @Test
    void rowsOfKeysNeedSelectInsertAndUpdate() throws SQLException {
        execute(IdAdmin.ddl(keyed("row", "by_row"), "mysql").toArray(String[]::new));
        execute(
                "CREATE USER by_row IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".by_row_sequence TO by_row");

        try (DistributedIds ids = DistributedIds.create(keyed("row", "by_row"))) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
        }
    }

    @Test
    void sectionsOfKeysNeedSelectInsertAndUpdateAndToSelectAndInsertRecords() throws SQLException {
        execute(IdAdmin.ddl(keyed("section", "by_section"), "mysql").toArray(String[]::new));
        execute(
                "CREATE USER by_section IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE ON " + SCHEMA + ".distributedid TO by_section");
        String grant = "GRANT SELECT, INSERT ON by_section_sequence to the user";

        assertSectionsRefused(
                "The table that records how a sequence is numbered is missing, or the user lacks a right:"
                        + " table=by_section_sequence on ",
                grant);
        execute("GRANT SELECT ON " + SCHEMA + ".by_section_sequence TO by_section");
        assertSectionsRefused(
                "The table that records how a sequence is numbered can't be used, because the user lacks a right:"
                        + " table=by_section_sequence on ",
                grant);
        execute("GRANT INSERT ON " + SCHEMA + ".by_section_sequence TO by_section");
        for (int start = 0; start < 2; start++) {
            try (DistributedIds ids = DistributedIds.builder()
                    .settings(keyed("section", "by_section"))
                    .asService()
                    .build()) {
                assertThat(ids.keyed("messages").next(7)).isPositive();
            }
        }
    }

    private void assertSectionsRefused(String... parts) {
        try (DistributedIds ids = DistributedIds.builder()
                .settings(keyed("section", "by_section"))
                .asService()
                .build()) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContainingAll(parts);
        }
    }

    private Map<String, String> keyed(String backend, String user) {
        String place = "distributedid.keyed." + backend;
        return Map.of(
                "distributedid.keyed.backend",
                backend,
                place + (backend.equals("row") ? ".server" : ".store"),
                url(),
                place + ".user",
                user,
                place + ".password",
                "secret",
                "distributedid.timeout",
                "20s",
                "distributedid.keyed.section.lease",
                "1m",
                "distributedid.keyed.row.table",
                user + "_sequence",
                "distributedid.block.timeout",
                "45s");
    }

    /** With rights on single tables, MySQL does not say whether another table exists. */
    @Test
    void aMissingTableBehindRightsOnOtherTablesIsToldWithTheRightsAndTheTable() throws SQLException {
        execute(
                "CREATE TABLE Another (id INT)",
                "CREATE USER narrow IDENTIFIED BY 'secret'",
                "GRANT SELECT ON " + SCHEMA + ".Another TO narrow");

        assertThatThrownBy(() -> first("ticket", Map.of("distributedid.ticket.table", "Absent", USER, "narrow")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The ticket table is missing, or the user lacks a right: table=Absent on " + label()
                        + ". The server said: SELECT command denied to user 'narrow'@'localhost' for table 'Absent'."
                        + " If the table exists, GRANT SELECT, INSERT, DELETE ON Absent to the user. If not, create it:"
                        + " CREATE TABLE IF NOT EXISTS Absent (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1)"
                        + " NOT NULL DEFAULT '', PRIMARY KEY (stub), KEY (id)) ENGINE=InnoDB; it also needs the"
                        + " ledger beside it (distributedid ddl prints both); or let the first client create it:"
                        + " distributedid.create_tables=true");
        assertThatThrownBy(() -> first(
                        "sequence_table",
                        Map.of(
                                "distributedid.sequence_table.table",
                                "absent_sequence",
                                "distributedid.sequence_table.user",
                                "narrow")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The sequence table is missing, or the user lacks a right:"
                        + " table=absent_sequence on " + label() + ". The server said: SELECT command"
                        + " denied to user 'narrow'@'localhost' for table 'absent_sequence'. If the table exists, GRANT"
                        + " SELECT, INSERT, UPDATE ON absent_sequence to the user. If not, create it: ");
    }

    private String label() {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + SCHEMA;
    }

    private String url() {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + SCHEMA
                + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    private long first(String backend, Map<String, String> more) {
        String user = backend.equals("ticket") ? "tickets" : backend;
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", url());
        settings.putIfAbsent("distributedid." + backend + ".user", user);
        settings.put("distributedid." + backend + ".password", "secret");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            return ids.next("photos");
        }
    }

    private void createTables(Map<String, String> settings) throws SQLException {
        execute(IdAdmin.ddl(settings, "mysql").toArray(String[]::new));
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
