package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.SequenceStatistics;
import io.distributedid.WorkerStatistics;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Nodes with Snowflake ids that have no database: they lease their worker numbers from the servers. No two of them may
 * put the same number and tick into an id, which is more than that no id is given twice.
 */
final class LeasedNodes implements AutoCloseable {

    private static final String SEQUENCE = "comments";

    private static final int SEQUENCE_BITS = 12;

    /** So short that a server which is stopped misses several. */
    private static final Duration WINDOW = Duration.ofSeconds(2);

    /** In one millisecond, so that the sequences of two owners would meet. */
    private static final int TOGETHER = 20;

    private final Map<String, Object> settings = new LinkedHashMap<>();

    private final GivenIds given = new GivenIds();

    /** The node that has put a time and a number into an id. */
    private final Map<Long, Integer> owners = new ConcurrentHashMap<>();

    private final Queue<String> ownedTwice = new ConcurrentLinkedQueue<>();

    private final AtomicInteger nodes = new AtomicInteger();

    private final List<DistributedIds> staying = new ArrayList<>();

    /** @param service the addresses of the servers */
    LeasedNodes(String service) {
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.layout", "time(ms):41, worker:10, sequence:" + SEQUENCE_BITS);
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.lease.store", "service");
        settings.put("distributedid.snowflake.lease.service", service);
        settings.put("distributedid.snowflake.lease.window", WINDOW.toString());
        settings.put("distributedid.timeout", "500ms");
        // One server is always up, but the machine may be busy.
        settings.put("distributedid.block.timeout", "1m");
    }

    /** A node that stays: each call takes some ids. */
    Callers.Call stay() {
        DistributedIds ids = open();
        int node = nodes.incrementAndGet();
        staying.add(ids);
        return taken -> take(ids, node, taken);
    }

    /** Each call is a node that comes, takes some ids and goes. */
    void comeAndGo(AtomicInteger taken) {
        try (DistributedIds ids = open()) {
            take(ids, nodes.incrementAndGet(), taken);
        }
    }

    private DistributedIds open() {
        return DistributedIds.builder()
                .settings(settings)
                .tokensComparedByCaller()
                .build();
    }

    private void take(DistributedIds ids, int node, AtomicInteger taken) {
        for (int i = 0; i < TOGETHER; i++) {
            long id = ids.next(SEQUENCE);
            given.add(id);
            Integer other = owners.putIfAbsent(id >> SEQUENCE_BITS, node);
            if (other != null && other != node) {
                ownedTwice.add("node=" + node + " and node=" + other + " at " + ids.decode(SEQUENCE, id));
            }
        }
        taken.incrementAndGet();
    }

    /** Waits until each node that stays has another window. */
    void awaitNextWindows() {
        List<Instant> before = windowEnds();
        Await.until(
                "each node that stays has another window",
                () -> {
                    List<Instant> now = windowEnds();
                    return IntStream.range(0, now.size())
                            .allMatch(i -> now.get(i).isAfter(before.get(i)));
                },
                () -> before + " before, now " + windowEnds());
    }

    private List<Instant> windowEnds() {
        return staying.stream()
                .map(ids -> ids.statistics(SEQUENCE)
                        .flatMap(SequenceStatistics::worker)
                        .flatMap(WorkerStatistics::until)
                        .orElseThrow())
                .toList();
    }

    void assertEachOwnsItsNumber() {
        given.assertNoneTwice();
        assertThat(ownedTwice).isEmpty();
    }

    @Override
    public void close() {
        staying.forEach(DistributedIds::close);
    }

    @Override
    public String toString() {
        return given.count() + " ids of " + nodes + " leased nodes";
    }
}
