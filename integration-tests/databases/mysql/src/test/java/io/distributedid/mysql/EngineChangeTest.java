package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The ticket table is altered from InnoDB to MyISAM and back while clients draw with blocks of all sizes. */
@Needs(Need.MYSQL)
class EngineChangeTest {

    private static final int MANY = 300;

    @Test
    void noIdComesTwiceAndNoCallerSeesAnError() throws Exception {
        String server = MySqlServers.shard(0).jdbcUrl("engines");
        GivenIds given = new GivenIds();
        Semaphore taken = new Semaphore(0);
        AtomicBoolean stopped = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<DistributedIds> clients = new ArrayList<>();
        try {
            List<Future<?>> takers = new ArrayList<>();
            for (int block : List.of(7, 1_000)) {
                DistributedIds client =
                        GivenIds.tickets(server, "block.min", block, "block.max", block, "block.timeout", "1m");
                clients.add(client);
                takers.add(threads.submit(() -> {
                    while (!stopped.get()) {
                        given.add(client.next("photos"));
                        taken.release();
                    }
                }));
            }
            for (String engine : List.of("MyISAM", "InnoDB")) {
                awaitIds(taken, takers);
                DatabaseRows.execute(server, "ALTER TABLE Tickets64 ENGINE=" + engine);
            }
            awaitIds(taken, takers);
            stopped.set(true);
            for (Future<?> taker : takers) {
                taker.get();
            }
        } finally {
            stopped.set(true);
            clients.forEach(DistributedIds::close);
            threads.shutdownNow();
        }
        given.assertNoneTwice();
        assertThat(DatabaseRows.rows(
                        server,
                        "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'engines'"
                                + " AND TABLE_NAME = 'Tickets64'"))
                .containsExactly("InnoDB");
    }

    /** Many from now on; fails with the error of a caller that saw one. */
    private static void awaitIds(Semaphore taken, List<Future<?>> takers) {
        taken.drainPermits();
        Await.until("many ids are taken", () -> {
            takers.stream().filter(Future::isDone).findAny().ifPresent(EngineChangeTest::fail);
            return taken.tryAcquire(MANY);
        });
    }

    private static void fail(Future<?> taker) {
        try {
            taker.get();
        } catch (Exception e) {
            throw new AssertionError("A caller saw an error: " + e.getCause(), e);
        }
    }
}
