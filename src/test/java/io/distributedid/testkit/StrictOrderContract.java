package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of which one at a time gives ids in strict order are killed, stopped for three leases, stopped cleanly, and
 * have their wall clocks set by hours and by seconds, forward and back, several of them at once. A ledger of all calls
 * shows that each id is greater than every id of an answer that arrived before its call began; and at the end ids are
 * given again.
 */
public abstract class StrictOrderContract {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private static final long STEP_MILLIS = 700;

    private static final int HOUR_MILLIS = 3_600_000;

    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir
    Path folder;

    private final int test = TESTS.incrementAndGet();

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    private final Random random = new Random(seed);

    private final List<StrictNode> nodes = new ArrayList<>();

    private final List<StrictNode> gone = new ArrayList<>();

    private final List<StrictNode> paused = new ArrayList<>();

    private final List<StrictNode> shifted = new ArrayList<>();

    private final Map<String, Integer> events = new HashMap<>();

    /** Where the lease is: a store without rows for each test. */
    protected abstract Map<String, String> store(int test);

    /** How many things are done. */
    protected abstract int steps();

    /** Does something to the store, and undoes it; returns what, or nothing. */
    protected String disturbStore(Random dice) throws Exception {
        return "";
    }

    @AfterEach
    void killAll() {
        nodes.forEach(StrictNode::close);
        gone.forEach(StrictNode::close);
    }

    @Test
    void eachIdIsGreaterThanAllThatWereAnsweredBeforeItsCallBegan() throws Exception {
        System.out.println("strict order: seed=" + seed);
        for (int i = 0; i < 3; i++) {
            nodes.add(start());
        }
        awaitIds(nodes);
        for (int step = 0; step < steps(); step++) {
            disturb(random.nextInt(nodes.size()));
            if (step % 4 == 3) {
                count(disturbStore(random));
            }
            Thread.sleep(random.nextInt((int) STEP_MILLIS * 2));
        }
        for (StrictNode node : nodes) {
            calm(node);
        }
        awaitIds(nodes);
        replaceAll();
        CallLedger ledger = end();

        assertInOrder(ledger);
        assertThat(ledger.takeovers()).isPositive();
    }

    /** Chance may have left one process active all the time. */
    private void replaceAll() throws Exception {
        List<StrictNode> before = List.copyOf(nodes);
        StrictNode last = start();
        nodes.add(last);
        for (StrictNode node : before) {
            node.kill();
            gone.add(node);
            nodes.remove(node);
        }
        awaitIds(List.of(last));
    }

    private void assertInOrder(CallLedger ledger) {
        System.out.println("strict order: seed=" + seed + " calls=" + ledger.size() + " takeovers="
                + ledger.takeovers() + " longest="
                + TimeUnit.NANOSECONDS.toMillis(ledger.longestTakeover()) + " ms " + events);
        assertThat(ledger.disorder()).as("calls out of order, seed " + seed).isEmpty();
        assertThat(ledger.distinct()).as("distinct ids, seed " + seed).isEqualTo(ledger.size());
    }

    private CallLedger end() throws Exception {
        CallLedger ledger = new CallLedger();
        for (StrictNode node : nodes) {
            node.kill();
            node.addTo(ledger);
        }
        gone.forEach(node -> node.addTo(ledger));
        return ledger;
    }

    private StrictNode start() throws Exception {
        Map<String, String> settings = new HashMap<>(store(test));
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "exclusive");
        settings.put("distributedid.snowflake.layout", "strict");
        settings.put("distributedid.snowflake.lease.duration", LEASE.toString());
        settings.put("distributedid.block.timeout", "60s");
        return StrictNode.start(folder, settings);
    }

    /** What is still wrong with a process is ended first. */
    private void disturb(int place) throws Exception {
        StrictNode node = nodes.get(place);
        if (paused.contains(node) || shifted.contains(node)) {
            calm(node);
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> {
                count("pause");
                node.signal("STOP");
                paused.add(node);
            }
            case 1 -> {
                count("kill");
                node.kill();
                gone.add(node);
                nodes.set(place, start());
            }
            case 2 -> {
                count("clean stop");
                node.stop();
                gone.add(node);
                nodes.set(place, start());
            }
            case 3 -> {
                count("clock by hours");
                node.shift((long) (random.nextInt(10) - 5) * HOUR_MILLIS + HOUR_MILLIS / 2);
                shifted.add(node);
            }
            default -> {
                count("clock by seconds");
                node.shift(random.nextInt(14_000) - 7_000L);
                shifted.add(node);
            }
        }
    }

    private void calm(StrictNode node) throws Exception {
        if (paused.remove(node)) {
            node.signal("CONT");
        }
        if (shifted.remove(node)) {
            node.shift(0);
        }
    }

    private void count(String event) {
        if (!event.isEmpty()) {
            events.merge(event, 1, Integer::sum);
        }
    }

    /** Returns when these processes together have got more ids. */
    private static void awaitIds(List<StrictNode> some) {
        int before = some.stream().mapToInt(StrictNode::taken).sum();
        Await.until(
                "more ids",
                () -> {
                    for (StrictNode node : some) {
                        node.requireAlive();
                    }
                    return some.stream().mapToInt(StrictNode::taken).sum() >= before + 100;
                },
                () -> {
                    StringBuilder logs = new StringBuilder();
                    for (StrictNode node : some) {
                        logs.append(node.taken()).append(" ids; it printed: ").append(node.log());
                    }
                    return logs;
                });
    }
}
