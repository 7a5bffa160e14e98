package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Somebody deletes all worker numbers while an application makes ids, and others start one after another. The header is
 * there.
 */
@Needs(Need.MYSQL)
class EmptiedWorkerTableTest {

    private static final String TABLE = "emptied_worker";

    private final Map<String, String> settings = Map.of(
            "distributedid.backend",
            "snowflake",
            "distributedid.snowflake.worker",
            "lease",
            "distributedid.snowflake.lease.server",
            MySqlServers.shard(0).jdbcUrl("workers"),
            "distributedid.snowflake.lease.table",
            TABLE,
            "distributedid.create_tables",
            "true",
            "distributedid.snowflake.lease.window",
            "1s");

    private final GivenIds given = new GivenIds();

    private final List<String> refusals = new ArrayList<>();

    @Test
    void applicationsAreRefusedUntilAllWindowsAreOverAndThenStart() throws Exception {
        try (DistributedIds running = DistributedIds.create(settings)) {
            Await.until("an application has a number", () -> takes(running), () -> refusals);
            DatabaseRows.execute(
                    MySqlServers.shard(0).jdbcUrl("workers"), "DELETE FROM " + TABLE + " WHERE name LIKE '@worker/%'");
            Await.until("an application starts", this::starts, () -> refusals);
            Await.until("the first one goes on", () -> takes(running), () -> refusals);
        }

        given.assertNoneTwice();
        // On a busy machine there are others, such as a slow answer of the store.
        assertThat(refusals).anySatisfy(refusal -> assertThat(refusal).contains("The store has lost leases at "));
    }

    private boolean starts() {
        try (DistributedIds next = DistributedIds.create(settings)) {
            return takes(next);
        }
    }

    private boolean takes(DistributedIds from) {
        try {
            given.take(from, 1_000);
            return true;
        } catch (IdUnavailableException e) {
            refusals.add(e.getMessage());
            return false;
        }
    }
}
