package io.distributedid.postgresql;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A statement that waits for a lock ends on the server when its client has given it up. */
class AbandonedWaitTest {

    private static final String WAITING = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

    @AfterEach
    void drop() throws SQLException {
        DatabaseRows.execute(Postgres.url(), "DROP TABLE abandoned, distributedid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id FROM abandoned WHERE name = 'photos' FOR UPDATE",
                "LOCK TABLE abandoned IN ACCESS EXCLUSIVE MODE"
            })
    void itsBackendDoesNotWaitOnForTheLock(String lock) throws Exception {
        try (Connection holder = DriverManager.getConnection(Postgres.url());
                Statement statement = holder.createStatement()) {
            try (DistributedIds ids = DistributedIds.create(Map.of(
                    "distributedid.backend",
                    "sequence_table",
                    "distributedid.sequence_table.servers",
                    Postgres.url(),
                    "distributedid.sequence_table.table",
                    "abandoned",
                    "distributedid.create_tables",
                    true,
                    "distributedid.timeout",
                    "1s",
                    "distributedid.block.min",
                    1,
                    "distributedid.block.max",
                    1))) {
                ids.next("photos");
                holder.setAutoCommit(false);
                statement.execute(lock);
                ids.nextAsync("photos");

                Await.until("a statement waits", () -> waiting() > 0);
                Await.until("the client has given up twice", () -> failures(ids) > 1);
            }
            Await.until("no abandoned statement waits", () -> waiting() == 0, AbandonedWaitTest::waiting);
            holder.rollback();
        }
    }

    private static long waiting() throws SQLException {
        return DatabaseRows.number(Postgres.url(), WAITING);
    }

    private static long failures(DistributedIds ids) {
        return ids.statistics("photos").orElseThrow().blocks().orElseThrow().failedFetches();
    }
}
