package io.distributedid.mysql;

import static io.distributedid.mysql.TicketPair.execute;
import static io.distributedid.mysql.TicketPair.label;
import static io.distributedid.mysql.TicketPair.pair;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Counters of a real pair that lie too low: below ids that exist, below what they gave, or far below each other. */
@Needs(Need.MYSQL)
class TicketCounterCheckTest {

    private final MySqlServer odd = MySqlServers.odd();

    private final MySqlServer even = MySqlServers.even();

    @Test
    void aCounterIsRaisedAboveExistingIdsAndKeepsItsRemainder() {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair(),
                "distributedid.ticket.table", "CutOver",
                "distributedid.create_tables", "true",
                "distributedid.block.max", "1"))) {
            ids.next("photos");

            ids.admin().raise("photos", 5_000);

            assertThat(List.of(ids.next("photos"), ids.next("photos"))).containsExactlyInAnyOrder(5_001L, 5_002L);
        }
    }

    @Test
    void ofTwoServersTheOneThatGaveAnExistingIdMustLieAboveIt() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair(),
                "distributedid.ticket.table", "Existing",
                "distributedid.create_tables", "true",
                "distributedid.block.max", "1"))) {
            ids.next("photos");
            ids.next("photos");
            execute(odd, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
            execute(odd, "INSERT INTO photo VALUES (1), (2), (500)");
            try (Connection shard = odd.connect(TicketPair.SCHEMA)) {
                assertThatThrownBy(() -> ids.admin().requireAbove("photos", shard, "photo", "id"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessage(
                                "A counter would give ids that exist: table=Existing on " + label(even)
                                        + " id=2, but there is an id 500 already. Set distributedid.existing_ids=raise,"
                                        + " or raise the counter: distributedid raise SEQ --above 500. If the counter"
                                        + " was lost or set back, clients may hold larger ids in memory: distributedid"
                                        + " repair SEQ --above 500. See"
                                        + " https://github.com/distributedid/distributedid/blob/main/src/docs/on-call.md#counter-existing");
                execute(even, "REPLACE INTO Existing (stub, id) VALUES ('a', 500)");
                ids.admin().requireAbove("photos", shard, "photo", "id");
            }
        }
    }

    @Test
    void aTruncatedTableIsNoticedAndRaisedAboveTheOtherServer() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair(),
                "distributedid.ticket.table", "Truncated",
                "distributedid.create_tables", "true",
                "distributedid.block.max", "1"))) {
            for (int i = 0; i < 10; i++) {
                ids.next("photos");
            }
            execute(odd, "TRUNCATE Truncated");

            AtomicLong last = new AtomicLong();
            Await.until(
                    "an id of the truncated server",
                    () -> last.updateAndGet(before -> ids.next("photos")) % 2 == 1,
                    last::get);

            assertThat(last).as("twenty millions above all").hasValueBetween(20_000_011L, 20_000_099L);
            assertThat(ids.admin().counters("photos").distance())
                    .as("the other one was raised to it")
                    .isLessThan(100);
        }
    }
}
