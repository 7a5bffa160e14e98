package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that share eight worker numbers are stopped for longer than their windows, killed, stopped cleanly, and
 * have their clocks set by hours and by fractions of a second, forward and back, several of them at once. No two of
 * them put the same number and tick into an id, which is more than that no id is given twice; and at the end every
 * process gives ids.
 */
public abstract class LeaseFaultContract {

    private static final Duration WINDOW = Duration.ofSeconds(2);

    private static final long STEP_MILLIS = 400;

    private static final int HOUR_MILLIS = 3_600_000;

    private static final int WORKERS = 8;

    private static final int SEQUENCE_BITS = 19;

    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir
    Path folder;

    private final int test = TESTS.incrementAndGet();

    private final long seed = System.nanoTime();

    private final Random random = new Random(seed);

    private final List<LeaseNode> nodes = new ArrayList<>();

    private final Set<LeaseNode> paused = new HashSet<>();

    private final Set<LeaseNode> shifted = new HashSet<>();

    private final Map<String, Integer> events = new HashMap<>();

    /** Of each process that is gone, its ids. */
    private final List<long[]> ended = new ArrayList<>();

    /** Where the numbers are leased: a store without rows for each test. */
    protected abstract Map<String, String> store(int test);

    /** How many processes there are. */
    protected abstract int processes();

    /** How many things are done to them. */
    protected abstract int steps();

    /** Does something to the store, and undoes it; returns what, or nothing. */
    protected String disturbStore(Random dice) throws Exception {
        return "";
    }

    @AfterEach
    void killAll() {
        nodes.forEach(LeaseNode::close);
    }

    @Test
    void noIdIsGivenTwiceWhateverHappensToProcessesClocksAndStore() throws Exception {
        System.out.println("lease fault run: seed=" + seed);
        for (int i = 0; i < processes(); i++) {
            nodes.add(start());
        }
        awaitIds();
        for (int step = 0; step < steps(); step++) {
            disturb(random.nextInt(nodes.size()));
            if (step % 10 == 9) {
                count(disturbStore(random));
            }
            Thread.sleep(random.nextInt((int) STEP_MILLIS * 2));
        }
        for (LeaseNode node : nodes) {
            calm(node);
        }
        awaitIds();
        for (LeaseNode node : nodes) {
            node.kill();
            ended.add(node.ids());
        }
        System.out.println("lease fault run: seed=" + seed + " processes=" + ended.size() + " ids="
                + ended.stream().mapToLong(ids -> ids.length).sum() + " " + events);

        assertOwnedOnce();
    }

    private void assertOwnedOnce() {
        assertThat(ended.stream().flatMapToLong(LongStream::of).distinct().count())
                .as("distinct ids, seed " + seed)
                .isEqualTo(ended.stream().mapToLong(ids -> ids.length).sum());
        long[] owned = ended.stream().flatMapToLong(LeaseFaultContract::ticks).toArray();
        assertThat(LongStream.of(owned).distinct().count())
                .as("ticks of numbers in the ids of one process alone, seed " + seed)
                .isEqualTo(owned.length);
    }

    /** The times with their numbers that are in ids, each once. */
    private static LongStream ticks(long[] ids) {
        return LongStream.of(ids).map(id -> id >> SEQUENCE_BITS).distinct();
    }

    private LeaseNode start() throws Exception {
        Map<String, String> settings = new HashMap<>(store(test));
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.layout", "time(ms):41, worker:3, sequence:19");
        settings.put("distributedid.snowflake.lease.window", WINDOW.toString());
        settings.put("distributedid.timeout", "500ms");
        settings.put("distributedid.snowflake.clock_tolerance", "0ms");
        return LeaseNode.start(folder, settings);
    }

    /** What is still wrong with a process is ended first. */
    private void disturb(int place) throws Exception {
        LeaseNode node = nodes.get(place);
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
                ended.add(node.ids());
                nodes.set(place, start());
            }
            case 2 -> {
                count("clean stop");
                node.stop();
                ended.add(node.ids());
                nodes.set(place, start());
            }
            case 3 -> {
                count("clock by hours");
                node.shift((long) (random.nextInt(10) - 5) * HOUR_MILLIS + HOUR_MILLIS / 2);
                shifted.add(node);
            }
            default -> {
                count("clock by less than a second");
                node.shift(random.nextInt(800) - 400L);
                shifted.add(node);
            }
        }
    }

    private void calm(LeaseNode node) throws Exception {
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

    /** Returns when every process has taken more ids, and not just written those that it had taken. */
    private void awaitIds() {
        nodes.forEach(this::awaitIds);
    }

    private void awaitIds(LeaseNode node) {
        node.awaitMore(100);
    }
}
