package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.first;
import static io.distributedid.mysql.TicketPair.label;
import static io.distributedid.mysql.TicketPair.pair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the ticket backend thinks of tables on a real server: what it refuses, and where they end. */
@Needs(Need.MYSQL)
class TicketTableCheckTest {

    private final MySqlServer odd = MySqlServers.odd();

    @Test
    void aMissingTableIsRefusedWithItsDdl() {
        assertThatThrownBy(() -> first(pair(), Map.of("distributedid.ticket.table", "None")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ticket table is missing: table=None on " + label(odd)
                        + ". Create it: CREATE TABLE IF NOT EXISTS None (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT");
    }

    @Test
    void aTableThatDoesNotNumberItsRowsIsRefused() throws SQLException {
        execute(odd, "CREATE TABLE Plain (id BIGINT NOT NULL, stub CHAR(1) NOT NULL PRIMARY KEY)");

        refusesTable(
                "Plain",
                "replace",
                "A ticket table must number its rows: table=Plain on " + label(odd)
                        + " id=bigint, allowed: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT.");
    }

    @Test
    void aTableInWhichReplacePilesUpRowsIsRefused() throws SQLException {
        execute(odd, "CREATE TABLE Many (id BIGINT AUTO_INCREMENT PRIMARY KEY, stub CHAR(1))");

        refusesTable(
                "Many",
                "replace",
                "REPLACE needs a unique key on stub, or leaves a row for each ticket: table=Many on " + label(odd)
                        + " unique keys=[[id]]. Add one: ALTER TABLE Many ADD UNIQUE KEY (stub); or set"
                        + " distributedid.ticket.style=insert");
    }

    @Test
    void aTableWithOneRowIsRefusedForInserts() throws SQLException {
        execute(odd, "CREATE TABLE OneRow (id BIGINT AUTO_INCREMENT PRIMARY KEY, stub CHAR(1) UNIQUE)");

        refusesTable(
                "OneRow",
                "insert",
                "INSERT needs a table that holds many rows: table=OneRow on " + label(odd)
                        + " unique keys=[[id], [stub]]. Set distributedid.ticket.style=replace");
    }

    @Test
    void aTableWhoseColumnsNeedValuesIsRefused() throws SQLException {
        execute(odd, "CREATE TABLE Notes (id BIGINT AUTO_INCREMENT PRIMARY KEY, note VARCHAR(9) NOT NULL)");

        refusesTable(
                "Notes",
                "insert",
                "A ticket table's other columns must have defaults: table=Notes on " + label(odd)
                        + " column=note. Give it one: ALTER TABLE Notes ALTER note SET DEFAULT ...");
    }

    @Test
    void anEngineThatForgetsIsRefused() throws SQLException {
        execute(odd, "CREATE TABLE Memory (id BIGINT AUTO_INCREMENT PRIMARY KEY) ENGINE=MEMORY");

        refusesTable(
                "Memory",
                "insert",
                "A ticket table must keep its counter: table=Memory on " + label(odd)
                        + " engine=MEMORY, allowed: InnoDB, MyISAM, Aria");
    }

    @Test
    void clientsCanNumberFlickrsTableToo() throws SQLException {
        execute(odd, "CREATE TABLE Flickrs (id BIGINT AUTO_INCREMENT PRIMARY KEY, stub CHAR(1) NOT NULL UNIQUE)");

        assertThat(first(
                        odd.jdbcUrl(TicketPair.SCHEMA),
                        Map.of(
                                "distributedid.ticket.table",
                                "Flickrs",
                                "distributedid.ticket.numbering",
                                "client",
                                "distributedid.create_tables",
                                "true")))
                .isEqualTo(1);
    }

    /** At the end of its column MySQL gives the largest number again and again. */
    @Test
    void theLastNumberOfAColumnIsNeverGivenAndTheEndIsAnError() throws SQLException {
        for (String type : List.of("INT", "INT UNSIGNED")) {
            long largest = type.equals("INT") ? 2_147_483_647L : 4_294_967_295L;
            String table = "EndOf" + type.replace(" ", "");
            execute(
                    odd,
                    "CREATE TABLE " + table + " (id " + type
                            + " NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL DEFAULT '',"
                            + " PRIMARY KEY (stub), KEY (id)) AUTO_INCREMENT = " + (largest - 6));
            try (DistributedIds ids = DistributedIds.create(Map.of(
                    "distributedid.backend", "ticket",
                    "distributedid.ticket.servers", odd.jdbcUrl(TicketPair.SCHEMA),
                    "distributedid.ticket.table", table,
                    "distributedid.ticket.bits", "32",
                    "distributedid.create_tables", "true",
                    "distributedid.block.max", "1"))) {
                assertThat(ids.next("accounts")).isEqualTo(largest - 6);
                assertThat(ids.next("accounts")).isEqualTo(largest - 4);
                assertThat(ids.next("accounts")).isEqualTo(largest - 2);
                for (int i = 0; i < 3; i++) {
                    assertThatThrownBy(() -> ids.next("accounts"))
                            .isInstanceOf(IdsExhaustedException.class)
                            .hasMessageContaining("The counter is at the end of its column: table=" + table);
                }
            }
        }
    }

    @Test
    void aBlockThatGoesBeyondTheColumnIsAnError() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", odd.jdbcUrl(TicketPair.SCHEMA),
                "distributedid.ticket.bits", "32",
                "distributedid.create_tables", "true"))) {
            ids.admin().raise("accounts", 4_294_967_290L);

            assertThatThrownBy(() -> {
                        for (int i = 0; i < 5; i++) {
                            assertThat(ids.next("accounts")).isBetween(4_294_967_291L, 4_294_967_294L);
                        }
                    })
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContaining("The counter is at the end of its column: table=Tickets32");
        }
    }

    @Test
    void anUnsignedCounterAboveTheRangeOfLongIsAtItsEnd() throws SQLException {
        execute(
                odd,
                "CREATE TABLE Huge (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL"
                        + " DEFAULT '', PRIMARY KEY (stub), KEY (id)) AUTO_INCREMENT = 9223372036854775809");

        assertThatThrownBy(() -> first(
                        odd.jdbcUrl(TicketPair.SCHEMA),
                        Map.of("distributedid.ticket.table", "Huge", "distributedid.create_tables", "true")))
                .hasMessageContaining("The counter is at the end of its column: table=Huge");
    }

    private void refusesTable(String table, String style, String message) {
        Map<String, String> settings = Map.of("distributedid.ticket.table", table, "distributedid.ticket.style", style);
        assertThatThrownBy(() -> first(odd.jdbcUrl(TicketPair.SCHEMA), settings))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(message);
    }
}
