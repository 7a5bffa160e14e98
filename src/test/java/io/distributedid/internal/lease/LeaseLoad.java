package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What leases of worker numbers cost their store, for benchmarks: in simulated time, without failures, with windows of
 * a minute. Each node steps when its runner would. An operation is one call of the store, which is one statement of a
 * table.
 */
public final class LeaseLoad implements Platform {

    private static final int NUMBERS = 1_024;

    private static final StoreHeader.Terms TERMS = new StoreHeader.Terms(60_000, 15_000);

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    /** Nodes start within the first minute of it. At its end each has read how many numbers there are. */
    private static final Duration WARM_UP = Duration.ofMinutes(12);

    private static final class Node {

        private final LeaseClient client;

        private long due;

        Node(LeaseClient client, long due) {
            this.client = client;
            client.rights().add(Right.worker(new Right.Numbers(0, NUMBERS - 1), false, "node"));
            this.due = due;
        }
    }

    private final SplittableRandom random;

    private final MemoryLeaseStore store;

    private final PriorityQueue<Node> nodes = new PriorityQueue<>(Comparator.comparingLong(node -> node.due));

    private long nanos;

    private LeaseLoad(int count, long seed) {
        random = new SplittableRandom(seed);
        InstantSource clock = () -> BEGIN.plusNanos(nanos);
        MemoryLedger ledger = new MemoryLedger(new ConcurrentHashMap<>(), clock::millis);
        Set<String> unused = ledger.write(List.of(Change.create(Ledger.STORE, token(), 0, Row.State.NEW, Fields.NONE)));
        store = new MemoryLeaseStore(ledger);
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(new LeaseClient(store, TERMS, clock, this), random(0, TimeUnit.MINUTES.toNanos(1))));
        }
    }

    /**
     * Counts the operations of nodes that run on and on.
     *
     * @param nodes up to {@value #NUMBERS}
     * @param minutes simulated
     * @return operations for each node and minute
     */
    public static double operationsPerNodeMinute(int nodes, int minutes, long seed) {
        LeaseLoad load = new LeaseLoad(nodes, seed);
        try {
            load.run(WARM_UP);
            int before = load.store.calls;
            load.run(Duration.ofMinutes(minutes));
            return (load.store.calls - before) / (double) minutes / nodes;
        } catch (SQLException | InterruptedException e) {
            throw new AssertionError("The store is in memory", e);
        }
    }

    private void run(Duration time) throws SQLException, InterruptedException {
        long end = nanos + time.toNanos();
        while (nodes.element().due < end) {
            Node node = nodes.remove();
            nanos = node.due;
            node.client.step(false);
            node.due = nanos + node.client.pauseNanos();
            nodes.add(node);
        }
        nanos = end;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long random(long least, long bound) {
        return random.nextLong(least, bound);
    }

    @Override
    public String token() {
        return Long.toHexString(random.nextLong());
    }
}
