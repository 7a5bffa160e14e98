package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.RealServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A truncated ticket table while the other server is down, and two clients of which one has had many ids and the other few. Neither may
 * move the truncated counter on, which would take it past the ids of the second and hide from it that they are the first's.
 */
class TruncatedTableTest {

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Set<Long> given = new HashSet<>();

    @TempDir
    Path folder;

    @Test
    void clientsWithFewIdsDoNotGetThoseOfClientsWithMany() throws Exception {
        RealServers.requireMySql();
        try (FaultPair pair = FaultPair.start(folder);
                DistributedIds few = create(pair, 10);
                DistributedIds many = create(pair, 10_000)) {
            take(few, 100);
            take(many, 100_000);
            try (Connection connection = pair.sides().get(0).server().connect(FaultPair.SCHEMA);
                    Statement statement = connection.createStatement()) {
                statement.execute("TRUNCATE TABLE Tickets64");
            }
            pair.sides().get(1).server().kill9();

            assertThat(takeUntilRefused(many)).contains("A counter went back and may give ids again: table=Tickets64");
            assertThat(takeUntilRefused(few)).contains("A counter went back and may give ids again: table=Tickets64");

            pair.sides().get(1).server().restart();
            takeWhenThereAreAny(many);
            takeWhenThereAreAny(few);
        }
    }

    private void take(DistributedIds ids, int count) {
        for (int i = 0; i < count; i++) {
            long id = ids.next("photos");
            assertThat(given.add(id)).as("id " + id + " is new").isTrue();
        }
    }

    private String takeUntilRefused(DistributedIds ids) {
        while (true) {
            try {
                take(ids, 1);
            } catch (IdUnavailableException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    private void takeWhenThereAreAny(DistributedIds ids) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                take(ids, 50_000);
                return;
            } catch (IdUnavailableException e) {
                assertThat(System.nanoTime()).as("ids are given again").isLessThan(deadline);
            }
        }
    }

    private static DistributedIds create(FaultPair pair, int block) {
        return DistributedIds.create(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", pair.urls(),
                "distributedid.ticket.create_table", "true",
                "distributedid.block.timeout", "2s",
                "distributedid.block.max_age", "off",
                "distributedid.block.min", Integer.toString(block),
                "distributedid.block.max", Integer.toString(block)));
    }
}
