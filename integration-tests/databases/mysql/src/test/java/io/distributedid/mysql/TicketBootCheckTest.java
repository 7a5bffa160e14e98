package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.first;
import static io.distributedid.mysql.TicketPair.label;
import static io.distributedid.mysql.TicketPair.number;
import static io.distributedid.mysql.TicketPair.pair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.MySqlServer;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the ticket backend refuses on real servers, each with what the servers said and the lines for my.cnf. */
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
                        + ": auto_increment_increment=10 auto_increment_offset=2, restart the servers;");
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

        refuses(
                odd.jdbcUrl(TicketPair.SCHEMA) + ", " + again,
                label(odd) + " and " + label(odd).replace("127.0.0.1", "localhost") + " are one server, listed twice.");
    }

    @Test
    void clientsCanNumberServersThatAreNotSetUp() throws SQLException {
        number(odd, 1, 1);
        number(even, 1, 1);
        Map<String, String> byClient = Map.of(
                "distributedid.ticket.numbering", "client",
                "distributedid.ticket.create_table", "true",
                "distributedid.ticket.table", "TicketsByClient");

        assertThat(first(pair(), byClient) % 2).isEqualTo(1);
        assertThatThrownBy(
                        () -> first(even.jdbcUrl(TicketPair.SCHEMA) + ", " + odd.jdbcUrl(TicketPair.SCHEMA), byClient))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Clients must number the servers alike: table=TicketsByClient on " + label(even)
                        + " is claimed with increment=2 offset=2, but this client has increment=2 offset=1");
    }

    @Test
    void aReplicaIsRefused() throws SQLException {
        execute(even, "SET GLOBAL read_only = 1");
        try {
            assertThatThrownBy(() -> first(pair(), Map.of("distributedid.ticket.create_table", "true")))
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
        assertThatThrownBy(() -> first(servers, Map.of("distributedid.ticket.create_table", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Two ticket servers could give the same id: " + message);
    }
}
