package io.distributedid.mysql;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers, one of which hangs: connections are accepted, and nothing is answered. */
@Timeout(300)
@Needs(Need.MYSQL)
class HangingServerTest {

    private static final int SEQUENCES = 20;

    private FaultServer healthy;

    private FaultServer hanging;

    @BeforeEach
    void start() throws IOException, SQLException {
        healthy = FaultServer.of("healthy", MySqlServers.shard(0), "hanging_ids");
        hanging = FaultServer.of("hanging", MySqlServers.shard(1), "hanging_ids");
    }

    private DistributedIds client(String... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put("distributedid.sequence_table.servers", healthy.url() + ", " + hanging.url());
        settings.put("distributedid.create_tables", true);
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return DistributedIds.create(settings);
    }

    /** The server hangs for good, so that whoever waited for its end would wait in vain. */
    @Test
    void whileOneHangsTheOtherServesAllSequences() throws Exception {
        try (DistributedIds ids = client("distributedid.timeout", "60s", "distributedid.block.timeout", "5m")) {
            takeOfEach(ids, 1);
            hanging.server().pause();

            takeOfEachButThoseWhoseFetchHangs(ids, 300);

            hanging.server().resume();
            takeOfEach(ids, 1);
        }
    }

    /** At the most the call that was under way when the server began to hang, and one trial, may wait for it. */
    private static void takeOfEachButThoseWhoseFetchHangs(DistributedIds ids, int count) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            List<Future<?>> all = takers(ids, pool, count);
            Await.until(
                    "the others have their ids",
                    () -> all.stream().filter(Future::isDone).count() >= SEQUENCES - 2,
                    () -> all);
            for (Future<?> each : all) {
                if (each.isDone()) {
                    each.get();
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static void takeOfEach(DistributedIds ids, int count) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            for (Future<?> each : takers(ids, pool, count)) {
                each.get();
            }
        } finally {
            pool.shutdown();
        }
    }

    private static List<Future<?>> takers(DistributedIds ids, ExecutorService pool, int count) {
        List<Future<?>> all = new ArrayList<>();
        IntStream.range(0, SEQUENCES)
                .forEach(number -> all.add(pool.submit(() -> {
                    for (int i = 0; i < count; i++) {
                        ids.next("seq" + number);
                    }
                })));
        return all;
    }
}
