package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.first;
import static io.distributedid.mysql.TicketPair.label;
import static io.distributedid.mysql.TicketPair.number;
import static io.distributedid.mysql.TicketPair.pair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the ticket backend refuses on real servers, each with what the servers said and the lines for my.cnf. */
@Needs(Need.MYSQL)
class TicketBootCheckTest {

    private final MySqlServer odd = MySqlServers.odd();

    private final MySqlServer even = MySqlServers.even();

    @AfterEach
    void setBack() throws SQLException {
        number(odd, 2, 1);
        number(even, 2, 2);
    }

    @Test
    void serversThatAreNotSetUpAreRefused() throws SQLException {
        number(odd, 1, 1);
        number(even, 1, 1);

        refuses(
                pair(),
                "auto_increment_increment must be at least the number of servers, 2. " + label(odd)
                        + " says increment=1 offset=1. Write into my.cnf of " + label(odd)
                        + ": auto_increment_increment=10 auto_increment_offset=1, of " + label(even)
                        + ": auto_increment_increment=10 auto_increment_offset=2, restart the servers, then the"
                        + " applications;");
    }

    @Test
    void equalOffsetsAreRefused() throws SQLException {
        number(even, 2, 1);

        refuses(
                pair(),
                "each must have its own auto_increment_offset. " + label(odd) + " says increment=2 offset=1, "
                        + label(even) + " says increment=2 offset=1");
    }

    @Test
    void differentIncrementsAreRefused() throws SQLException {
        number(even, 3, 2);

        refuses(
                pair(),
                "all must have the same auto_increment_increment. " + label(odd) + " says increment=2 offset=1, "
                        + label(even) + " says increment=3 offset=2");
    }

    @Test
    void anOffsetAboveTheIncrementIsRefused() throws SQLException {
        number(odd, 2, 3);

        refuses(
                pair(),
                "auto_increment_offset must not exceed auto_increment_increment (the server then ignores it). "
                        + label(odd) + " says increment=2 offset=3");
    }

    @Test
    void oneServerUnderTwoNamesIsRefused() {
        String again = odd.jdbcUrl(TicketPair.SCHEMA).replace("127.0.0.1", "localhost");

        assertThatThrownBy(() -> first(
                        odd.jdbcUrl(TicketPair.SCHEMA) + ", " + again, Map.of("distributedid.create_tables", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("One ticket server is listed twice: " + label(odd) + " and "
                        + label(odd).replace("127.0.0.1", "localhost") + " are the server that says address=")
                .hasMessageContaining(" " + odd.port() + " ")
                .hasMessageEndingWith(". Allowed: every server once. Write the address of another server into"
                        + " distributedid.ticket.servers in place of one of them; if there is only one server, remove"
                        + " one of them");
    }

    @Test
    void aNumberingThatChangesUnderARunningApplicationIsRefusedWithBothValues() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair(),
                "distributedid.create_tables", "true"))) {
            ids.next("photos");
            number(odd, 3, 1);
            endConnections(odd);

            Await.until("the connections have ended", () -> !failures(ids).isEmpty());
            assertThat(failures(ids))
                    .containsExactly("A ticket server changed its numbering while this application runs, so two"
                            + " servers could give the same id: " + label(odd) + " says increment=3 offset=1, and said"
                            + " increment=2 offset=1 before. Allowed: no change until all applications have stopped."
                            + " To undo it, write into my.cnf: auto_increment_increment=2 auto_increment_offset=1, and"
                            + " restart the server. To keep it, stop all applications, give all servers the new"
                            + " increment, run distributedid repair for each ticket table, and start the applications"
                            + " again");
        }
    }

    private static List<String> failures(DistributedIds ids) {
        return ids.check("photos").stream()
                .filter(result -> result.status() == CheckResult.Status.FAILED)
                .map(CheckResult::detail)
                .toList();
    }

    private static void endConnections(MySqlServer server) throws SQLException {
        try (Connection connection = server.connect("mysql");
                Statement select = connection.createStatement();
                Statement kill = connection.createStatement();
                ResultSet row = select.executeQuery(
                        "SELECT id FROM information_schema.processlist WHERE db = '" + TicketPair.SCHEMA + "'")) {
            while (row.next()) {
                kill.execute("KILL " + row.getLong(1));
            }
        }
    }

    @Test
    void clientsCanNumberServersThatAreNotSetUp() throws SQLException {
        number(odd, 1, 1);
        number(even, 1, 1);
        Map<String, String> byClient = Map.of(
                "distributedid.ticket.numbering", "client",
                "distributedid.create_tables", "true",
                "distributedid.ticket.table", "TicketsByClient");

        assertThat(first(pair(), byClient) % 10).isEqualTo(1);
        assertThatThrownBy(
                        () -> first(even.jdbcUrl(TicketPair.SCHEMA) + ", " + odd.jdbcUrl(TicketPair.SCHEMA), byClient))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Clients must number the servers alike: table=TicketsByClient on " + label(even)
                        + " is claimed with increment=10 offset=2, but this client has increment=10 offset=1");
    }

    @Test
    void aReplicaIsRefused() throws SQLException {
        execute(even, "SET GLOBAL read_only = 1");
        try {
            assertThatThrownBy(() -> first(pair(), Map.of("distributedid.create_tables", "true")))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A ticket server must be writable: " + label(even) + " says read_only=1"
                            + " innodb_read_only=0. If it is a replica, list its source in its place; else write"
                            + " into my.cnf:"
                            + " read_only=0 innodb_read_only=0");
        } finally {
            execute(even, "SET GLOBAL read_only = 0");
        }
    }

    private static void refuses(String servers, String message) {
        assertThatThrownBy(() -> first(servers, Map.of("distributedid.create_tables", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Two ticket servers could give the same id: " + message);
    }
}
