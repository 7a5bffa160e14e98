package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the ticket backend refuses on real servers, each with what the servers said and the lines for my.cnf. */
class TicketBootCheckTest {

    private static final String SCHEMA = "bootcheck";

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
                        + ": auto_increment_increment=2 auto_increment_offset=1, of " + label(even)
                        + ": auto_increment_increment=2 auto_increment_offset=2, restart the servers;");
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
        String again = odd.jdbcUrl(SCHEMA).replace("127.0.0.1", "localhost");

        refuses(
                odd.jdbcUrl(SCHEMA) + ", " + again,
                label(odd) + " and " + label(odd).replace("127.0.0.1", "localhost") + " are one server, listed twice.");
    }

    @Test
    void aMissingTableIsRefusedWithItsDdl() {
        assertThatThrownBy(() -> first(pair(), Map.of("distributedid.ticket.table", "None")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ticket table is missing: table=None on " + label(odd)
                        + ". Create it: CREATE TABLE IF NOT EXISTS None (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT");
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
        assertThatThrownBy(() -> first(even.jdbcUrl(SCHEMA) + ", " + odd.jdbcUrl(SCHEMA), byClient))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Clients must number the ticket servers alike: " + label(even)
                        + " table=TicketsByClient is taken with increment=2 offset=2, but distributedid.ticket.servers"
                        + " gives it increment=2 offset=1");
    }

    @Test
    void aCounterIsRaisedAboveExistingIdsAndKeepsItsRemainder() {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair(),
                "distributedid.ticket.table", "CutOver",
                "distributedid.ticket.create_table", "true",
                "distributedid.block.max", "1"))) {
            ids.next("photos");

            ids.raiseAbove("photos", 5_000);

            assertThat(List.of(ids.next("photos"), ids.next("photos"))).containsExactlyInAnyOrder(5_003L, 5_002L);
        }
    }

    @Test
    void anUnsignedCounterAboveTheRangeOfLongIsRefused() throws SQLException {
        try (Connection connection = odd.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE Huge (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL"
                    + " DEFAULT '', PRIMARY KEY (stub), KEY (id)) AUTO_INCREMENT = 9223372036854775809");
        }

        assertThatThrownBy(() -> first(odd.jdbcUrl(SCHEMA), Map.of("distributedid.ticket.table", "Huge")))
                .hasMessageStartingWith("The server's counter is above 2^63-1 and fits no Java long: id=92233720368");
    }

    private String pair() {
        return odd.jdbcUrl(SCHEMA) + ", " + even.jdbcUrl(SCHEMA);
    }

    private static void refuses(String servers, String message) {
        assertThatThrownBy(() -> first(servers, Map.of("distributedid.ticket.create_table", "true")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Two ticket servers could give the same id: " + message);
    }

    private static long first(String servers, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", servers);
        try (DistributedIds ids = DistributedIds.create(settings)) {
            return ids.next("photos");
        }
    }

    /** As a my.cnf would, for connections that are opened from now on. */
    private static void number(MySqlServer server, int increment, int offset) throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "SET GLOBAL auto_increment_increment = " + increment + ", auto_increment_offset = " + offset);
        }
    }

    private static String label(MySqlServer server) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + SCHEMA;
    }
}
