package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.mysql.IdTaker.Field;
import io.distributedid.mysql.IdTaker.Load;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.FaultRun;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes lease worker numbers from one store and take ids with two threads each, while processes are stopped
 * beyond their windows, killed and started again, resumed as from a snapshot, clocks jump by hours, and the store is
 * killed, hangs, and loses connections, several at a time. It shows that no id is given twice and no tick of a number
 * is used by two processes; that every refusal says why; and that all goes on by itself once the faults are over.
 *
 * <p>There are only as many free numbers as processes, so that whoever has lost its own waits for the window of another
 * to end. The sequence field is so small that a busy process uses all ids of each tick: a number in two hands gives ids
 * twice for certain.
 *
 * <p>{@code -Dfaults.seconds=600} makes the run longer, {@code -Dfaults.seed=...} repeats the faults of another. The
 * moments differ then all the same.
 */
@Needs(Need.MYSQL)
class WorkerFaultTest {

    private static final int NODES = 4;

    private static final int WORKER_BITS = 3;

    private static final int SEQUENCE_BITS = 3;

    /** The shortest allowed. */
    private static final int WINDOW_MILLIS = 1_000;

    /** Two clocks may differ by a quarter of the window. */
    private static final int LARGEST_RIGHT_OFFSET_MILLIS = 100;

    private final long seed = Long.getLong("faults.seed", System.nanoTime());

    private final Duration length = Duration.ofSeconds(Long.getLong("faults.seconds", 10));

    private final List<WorkerFaultNode> nodes = new ArrayList<>();

    @TempDir
    Path folder;

    @Test
    void noIdTwiceAndEveryRefusalSaysWhy() throws Exception {
        Files.createDirectory(IdTaker.ids(folder));
        FaultServer store = FaultServer.of("store", MySqlServers.workers(), "worker_faults");
        Random random = new Random(seed);
        FaultRun<WorkerFaults.Kind> run = new FaultRun<>(random, WorkerFaults.Kind.class, this::requireAlive);
        try {
            start(store, random);
            long first = awaitIds(run);
            new WorkerFaults(nodes, store, WINDOW_MILLIS, run).runFor(length);
            long again = awaitIds(run);
            for (WorkerFaultNode node : nodes) {
                node.stop();
            }
            check(run, "first ids after " + first + " ms, ids of all " + again + " ms after the last fault");
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + " (seed=" + seed + ", ids given twice=" + twice(e) + ")" + run, e);
        } finally {
            nodes.forEach(WorkerFaultNode::close);
        }
    }

    private void start(FaultServer store, Random random) throws Exception {
        Map<String, String> settings = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.layout",
                "time(ms):41, worker:" + WORKER_BITS + ", sequence:" + SEQUENCE_BITS,
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                store.proxiedUrl(),
                "distributedid.snowflake.lease.window",
                WINDOW_MILLIS + "ms",
                "distributedid.create_tables",
                "true",
                "distributedid.timeout",
                "1s",
                // Callers wait for less than a killed store is away, so that they hear of it.
                "distributedid.block.timeout",
                "1s");
        takeNumbers(store, settings);
        AtomicInteger runs = new AtomicInteger();
        for (int number = 0; number < NODES; number++) {
            long offset = random.nextInt(2 * LARGEST_RIGHT_OFFSET_MILLIS) - LARGEST_RIGHT_OFFSET_MILLIS;
            WorkerFaultNode node = new WorkerFaultNode(folder, number, settings, runs, offset);
            nodes.add(node);
            node.start();
        }
    }

    /** All but as many as there are nodes, the lowest among them. */
    private static void takeNumbers(FaultServer store, Map<String, String> settings) throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(ids.next("first")).isPositive();
        }
        for (int number = 0; number < (1 << WORKER_BITS) - NODES; number++) {
            DatabaseRows.execute(
                    store.url(),
                    "UPDATE distributedid SET number = " + Long.MAX_VALUE + ", text = 'owner=another lease=1000000000'"
                            + " WHERE name = '@worker/" + 2 * number + "'");
        }
    }

    private void requireAlive() throws IOException {
        for (WorkerFaultNode node : nodes) {
            node.requireAlive();
        }
    }

    /** Returns when every node has been given ids of all kinds from now on; how many milliseconds that took. */
    private long awaitIds(FaultRun<WorkerFaults.Kind> run) throws Exception {
        long began = System.nanoTime();
        for (Load load : Load.values()) {
            long[] before = nodes.stream().mapToLong(node -> node.ids(load)).toArray();
            for (int number = 0; number < NODES; number++) {
                WorkerFaultNode node = nodes.get(number);
                long already = before[number];
                try {
                    run.await(node + " is given ids", () -> node.ids(load) > already);
                } catch (IllegalStateException e) {
                    throw new AssertionError(e.getMessage() + ". Its log:\n" + node.log(), e);
                }
            }
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    private void check(FaultRun<WorkerFaults.Kind> run, String waits) throws IOException {
        IdAudit audit = audit();
        Map<WorkerRefusal, Long> refusals = refusals();
        System.out.println("worker fault run: seed=" + seed + " ids=" + audit.ids() + " faults=" + run.counts()
                + " takeovers=" + audit.takeovers() + " refusals=" + refusals + " longest pause="
                + TimeUnit.NANOSECONDS.toMillis(IdTaker.board(folder).highest(Field.LONGEST_PAUSE_NANOS)) + " ms; "
                + waits);

        assertThat(audit.idsTwice()).as(audit.twice() + " ids given twice").isEmpty();
        assertThat(audit.ticksTwice()).as("ticks of a number in two hands").isEmpty();
        assertThat(audit.ids())
                .as("ids in the files, and ids counted before a kill")
                .isGreaterThanOrEqualTo(
                        nodes.stream().mapToLong(WorkerFaultTest::ids).sum())
                .isGreaterThan(length.toSeconds() * 100);
        assertThat(audit.takeovers()).as("takeovers").isPositive();
        assertThat(run.counts()).as("faults").containsKeys(WorkerFaults.Kind.values());
        // Which others there are depends on the moments of the faults.
        assertThat(refusals).as("refusals").containsKey(WorkerRefusal.STORE_FAILED);
        assertThat(logs()).as("logs").doesNotContain("is it a copy of another process", "has lost rows");
    }

    /** That the audit fails too must not hide why the run failed. */
    private String twice(Throwable failure) {
        try {
            return Long.toString(audit().twice());
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
            return "unknown";
        }
    }

    private IdAudit audit() throws IOException {
        IdAudit audit = new IdAudit(WORKER_BITS, SEQUENCE_BITS);
        audit.readAll(folder);
        return audit;
    }

    private static long ids(WorkerFaultNode node) {
        return Stream.of(Load.values()).mapToLong(node::ids).sum();
    }

    private Map<WorkerRefusal, Long> refusals() {
        FaultBoard<WorkerRefusal> board = IdTaker.refusals(folder);
        Map<WorkerRefusal, Long> refusals = new EnumMap<>(WorkerRefusal.class);
        for (WorkerRefusal kind : WorkerRefusal.values()) {
            if (board.sum(kind) > 0) {
                refusals.put(kind, board.sum(kind));
            }
        }
        return refusals;
    }

    private String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path log :
                    (Iterable<Path>) files.filter(file -> file.toString().endsWith(".log"))::iterator) {
                all.append(Files.readString(log));
            }
        }
        return all.toString();
    }
}
