package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Ids by the column's DEFAULT and ids asked for before, at once from 16 connections of two processes. */
class NextIdBothWaysTest {

    private static final int BATCHES = 250;

    @Test
    void noIdComesTwiceAndEachConnectionsAscend() throws Exception {
        try (Connection connection = Shards.connect()) {
            Shards.create(connection, "both_ways", NextIdForm.HARDENED);
            // No key, so that every id that came twice would be seen.
            Shards.execute(
                    connection,
                    "CREATE TABLE both_ways.photo (id bigint NOT NULL DEFAULT both_ways.next_id(), inserter text NOT"
                            + " NULL,"
                            + " place int NOT NULL)");

            run(List.of(Inserter.start("both_ways", "a", BATCHES), Inserter.start("both_ways", "b", BATCHES)));

            long rows = 2L * Inserter.rows(BATCHES);
            assertThat(Shards.number(connection, "SELECT count(*) FROM both_ways.photo"))
                    .isEqualTo(rows);
            assertThat(Shards.number(connection, "SELECT count(DISTINCT id) FROM both_ways.photo"))
                    .isEqualTo(rows);
            assertThat(Shards.numbers(connection, "SELECT DISTINCT (id >> 10) & 8191 FROM both_ways.photo"))
                    .containsExactly((long) Shards.SHARD);
            assertThat(Shards.number(
                            connection,
                            "SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY inserter ORDER BY place) AS"
                                    + " before"
                                    + " FROM both_ways.photo) rows WHERE id <= before"))
                    .as("ids not above the connection's last")
                    .isZero();
        }
    }

    private static void run(List<Process> processes) throws InterruptedException {
        try {
            for (Process process : processes) {
                assertThat(process.waitFor(5, TimeUnit.MINUTES))
                        .as("the process has ended")
                        .isTrue();
                assertThat(process.exitValue()).as("exit code").isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }
}
