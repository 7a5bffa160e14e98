package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From two ticket servers to three, step by step as the page for operators says. */
@Needs(Need.MYSQL)
class ThirdServerTest {

    private final MySqlServer odd = MySqlServers.odd();

    private final MySqlServer even = MySqlServers.even();

    private final MySqlServer third = MySqlServers.shard(0);

    private final GivenIds given = new GivenIds();

    @AfterEach
    void setBack() throws SQLException {
        number(odd, 2, 1);
        number(even, 2, 2);
        number(third, 1, 1);
    }

    @Test
    void noIdIsGivenTwice() throws SQLException {
        take(List.of(odd, even), 10_000);
        execute(third, "SET GLOBAL auto_increment_increment = 2");
        List<MySqlServer> three = List.of(odd, even, third);
        execute(
                third,
                "CREATE TABLE Grown (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, stub CHAR(1) NOT NULL DEFAULT '',"
                        + " PRIMARY KEY (stub), KEY (id))");
        assertThat(takeUntilRefused(three))
                .as("the increments are left at 2")
                .hasMessageContaining("auto_increment_increment must be at least the number of servers, 3");
        for (int offset = 1; offset <= 3; offset++) {
            number(three.get(offset - 1), 3, offset);
        }
        assertThat(takeUntilRefused(three))
                .as("the old counters were not raised, and are claimed with the old numbering")
                .hasMessageContaining("Clients must number the servers alike");
        try (DistributedIds ids = open(three)) {
            ids.repair("photos", 0);
        }
        take(three, 10_000);
        given.assertNoneTwice();
        assertThat(given.count()).isEqualTo(20_000);
    }

    private void take(List<MySqlServer> servers, int count) {
        try (DistributedIds ids = open(servers)) {
            given.take(ids, count);
        }
    }

    private RuntimeException takeUntilRefused(List<MySqlServer> servers) {
        try (DistributedIds ids = open(servers)) {
            return given.takeUntilRefused(ids, 10_000);
        }
    }

    private static DistributedIds open(List<MySqlServer> servers) {
        return DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers",
                        servers.stream()
                                .map(server -> server.jdbcUrl(TicketPair.SCHEMA))
                                .collect(Collectors.joining(", ")),
                "distributedid.ticket.table", "Grown",
                "distributedid.create_tables", "true",
                "distributedid.block.max", "100"));
    }
}
