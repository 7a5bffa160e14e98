package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.MySqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From two ticket servers to three, step by step as the page for operators says. */
class ThirdServerTest {

    private final MySqlServer odd = MySqlServers.odd();

    private final MySqlServer even = MySqlServers.even();

    private final Set<Long> given = new HashSet<>();

    @TempDir
    Path folder;

    @AfterEach
    void setBack() throws SQLException {
        number(odd, 2, 1);
        number(even, 2, 2);
    }

    @Test
    void noIdIsGivenTwice() throws SQLException {
        try (MySqlServer third = MySqlServer.start(folder.resolve("third"))) {
            take(List.of(odd, even), 10_000);
            long largest = Math.max(largest(odd), largest(even));

            List<MySqlServer> three = List.of(odd, even, third);
            execute(
                    third,
                    "CREATE TABLE Grown (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL DEFAULT '',"
                            + " PRIMARY KEY (stub), KEY (id))");
            for (int offset = 1; offset <= 3; offset++) {
                MySqlServer server = three.get(offset - 1);
                number(server, 3, offset);
                if (server != third) {
                    execute(
                            server,
                            "DELETE FROM distributedid_record WHERE counter = 'Grown' OR counter LIKE 'Grown/%'");
                }
                long above = largest + 65_536;
                long x = above + Math.floorMod(offset - above, 3L);
                execute(server, "REPLACE INTO Grown (stub, id) VALUES ('a', " + x + ")");
            }

            take(three, 10_000);
            assertThat(given).hasSize(20_000);
        }
    }

    private void take(List<MySqlServer> servers, int count) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers",
                        servers.stream()
                                .map(server -> server.jdbcUrl(TicketPair.SCHEMA))
                                .collect(Collectors.joining(", ")),
                "distributedid.ticket.table", "Grown",
                "distributedid.ticket.create_table", "true",
                "distributedid.block.max", "100"))) {
            for (int i = 0; i < count; i++) {
                given.add(ids.next("photos"));
            }
        }
    }

    private static long largest(MySqlServer server) throws SQLException {
        try (Connection connection = server.connect(TicketPair.SCHEMA);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT MAX(id) FROM Grown")) {
            row.next();
            return row.getLong(1);
        }
    }
}
