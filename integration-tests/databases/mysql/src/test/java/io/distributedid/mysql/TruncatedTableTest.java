package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.RealServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A truncated ticket table while the other server is down, and two clients of which one has had many ids and the other
 * few. Neither may move the truncated counter on, which would take it past the ids of the second and hide from it that
 * they are the first's.
 */
class TruncatedTableTest {

    private final GivenIds given = new GivenIds();

    @TempDir
    Path folder;

    @Test
    void clientsWithFewIdsDoNotGetThoseOfClientsWithMany() throws Exception {
        RealServers.requireMySql();
        try (FaultPair pair = FaultPair.start(folder);
                DistributedIds few = create(pair, 10);
                DistributedIds many = create(pair, 10_000)) {
            given.take(few, 100);
            given.take(many, 100_000);
            try (Connection connection = pair.sides().get(0).server().connect(FaultPair.SCHEMA);
                    Statement statement = connection.createStatement()) {
                statement.execute("TRUNCATE TABLE Tickets64");
            }
            pair.sides().get(1).server().kill9();

            for (DistributedIds each : List.of(many, few)) {
                assertThat(given.takeUntilRefused(each, 100_000))
                        .hasMessageContaining("A counter went back and may give ids again: table=Tickets64");
            }

            pair.sides().get(1).server().restart();
            for (DistributedIds each : List.of(many, few)) {
                AtomicReference<RuntimeException> refusal = new AtomicReference<>();
                Await.until(
                        "ids are given again",
                        () -> {
                            refusal.set(given.tryToTake(each, 50_000));
                            return refusal.get() == null;
                        },
                        refusal::get);
            }
        }
        given.assertNoneTwice();
    }

    private static DistributedIds create(FaultPair pair, int block) {
        return GivenIds.tickets(pair.urls(), "block.max_age", "off", "block.min", block, "block.max", block);
    }
}
