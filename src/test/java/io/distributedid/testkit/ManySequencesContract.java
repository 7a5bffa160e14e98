package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many sequences of a sequence table, whose blocks are reserved together: no id is given twice, and what happens to one
 * of them is no matter of the others.
 */
public abstract class ManySequencesContract {

    private static final int SEQUENCES = 60;

    /** Changed, or locked, while the others go on. */
    private static final String ODD = "s7";

    private static final int THREADS = 12;

    private final Set<String> given = ConcurrentHashMap.newKeySet();

    private final Set<String> twice = ConcurrentHashMap.newKeySet();

    /** The URL of a database or schema that is empty. */
    protected abstract String url(String name) throws SQLException;

    private DistributedIds client(List<String> urls, Object... more) {
        List<Object> settings = new ArrayList<>(List.of("block.min", 2, "block.max", 8));
        settings.addAll(List.of(more));
        return GivenIds.sequenceTable(String.join(",", urls), settings.toArray());
    }

    private void take(DistributedIds ids, String sequence) {
        long id = ids.next(sequence);
        if (!given.add(sequence + " " + id)) {
            twice.add(sequence + " " + id);
        }
    }

    private static List<String> sequences() {
        return IntStream.range(0, SEQUENCES).mapToObj(number -> "s" + number).toList();
    }

    /** Threads that take ids of all sequences in turn, each from another one on, until they are stopped. */
    private final class Takers implements AutoCloseable {

        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

        private final AtomicBoolean over = new AtomicBoolean();

        private final AtomicInteger taken = new AtomicInteger();

        private final List<Future<Duration>> longest = new ArrayList<>();

        Takers(List<DistributedIds> clients, List<String> sequences) {
            for (int thread = 0; thread < THREADS; thread++) {
                DistributedIds client = clients.get(thread % clients.size());
                int first = thread * sequences.size() / THREADS;
                longest.add(threads.submit(() -> run(client, sequences, first)));
            }
        }

        private Duration run(DistributedIds ids, List<String> sequences, int first) {
            long most = 0;
            for (int i = first; !over.get(); i++) {
                long began = System.nanoTime();
                take(ids, sequences.get(i % sequences.size()));
                most = Math.max(most, System.nanoTime() - began);
                taken.incrementAndGet();
            }
            return Duration.ofNanos(most);
        }

        void awaitMore(int ids) {
            int before = taken.get();
            Await.until(
                    "ids are taken",
                    () -> taken.get() - before >= ids || longest.stream().anyMatch(Future::isDone));
        }

        Duration longestCall() throws Exception {
            over.set(true);
            Duration most = Duration.ZERO;
            for (Future<Duration> each : longest) {
                Duration longestOfThread = each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                most = most.compareTo(longestOfThread) < 0 ? longestOfThread : most;
            }
            return most;
        }

        @Override
        public void close() {
            over.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    @Timeout(180)
    void twoClientsTakeFromTwoServers() throws Exception {
        List<String> servers = List.of(url("many_left"), url("many_right"));
        try (DistributedIds one = client(servers);
                DistributedIds other = client(servers)) {
            try (Takers takers = new Takers(List.of(one, other), sequences())) {
                takers.awaitMore(1_000);
                takers.longestCall();
            }
            assertThat(twice).isEmpty();
        }
        try (DistributedIds next = client(servers)) {
            sequences().forEach(sequence -> take(next, sequence));
        }
        assertThat(twice).isEmpty();
    }

    @Test
    @Timeout(180)
    void anOldGenerationOfOneSequenceIsNoMatterOfTheOthers() throws Exception {
        List<String> servers = List.of(url("many_fenced"));
        try (DistributedIds ids = client(servers);
                DistributedIds operator = client(servers);
                Takers takers = new Takers(List.of(ids), sequences())) {
            takers.awaitMore(200);
            for (int raise = 1; raise <= 2; raise++) {
                operator.admin().raise(ODD, raise * 100_000L);
                takers.awaitMore(200);
            }
            takers.longestCall();
            take(ids, ODD);
            assertThat(given).anyMatch(id -> id.startsWith(ODD + " 2000"));
        }
        assertThat(twice).isEmpty();
    }

    @Test
    @Timeout(180)
    void aRowThatAnotherTransactionHasLockedIsNoMatterOfTheOthers() throws Exception {
        List<String> servers = List.of(url("many_locked"));
        List<String> others =
                sequences().stream().filter(each -> !each.equals(ODD)).toList();
        try (DistributedIds ids = client(servers, "timeout", "1s", "block.timeout", "30s")) {
            sequences().forEach(sequence -> take(ids, sequence));
            ExecutorService waiting = Executors.newSingleThreadExecutor();
            try (Takers takers = new Takers(List.of(ids), others)) {
                takers.awaitMore(200);
                Future<?> blocked;
                try (Connection holder = DriverManager.getConnection(servers.get(0));
                        Statement statement = holder.createStatement()) {
                    holder.setAutoCommit(false);
                    statement.execute("SELECT id FROM sequence WHERE name = '" + ODD + "' FOR UPDATE");
                    blocked = waiting.submit(() -> IntStream.range(0, 20).forEach(each -> take(ids, ODD)));
                    // Its first attempt waits for the lock and times out. The next ones do not wait.
                    Await.until("its failure is seen", () -> failures(ids, ODD) > 1 || blocked.isDone());
                    takers.awaitMore(200);
                    assertThat(blocked.isDone()).isFalse();
                    holder.rollback();
                }
                blocked.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                takers.longestCall();
            } finally {
                waiting.shutdownNow();
            }
        } catch (IdUnavailableException e) {
            throw new AssertionError("No caller is refused", e);
        }
        assertThat(twice).isEmpty();
    }

    @Test
    @Timeout(180)
    void aLostRowIsNotTakenForALockedOneAndNoMatterOfTheOthers() throws Exception {
        String server = url("many_lost");
        List<String> others =
                sequences().stream().filter(each -> !each.equals(ODD)).toList();
        try (DistributedIds ids = client(List.of(server));
                Takers takers = new Takers(List.of(ids), others)) {
            take(ids, ODD);
            takers.awaitMore(200);
            DatabaseRows.execute(server, "DELETE FROM sequence WHERE name = '" + ODD + "'");

            AtomicReference<String> refusal = new AtomicReference<>("none");
            AtomicInteger taken = new AtomicInteger();
            Await.until(
                    "a caller is told to repair the counter",
                    () -> {
                        try {
                            take(ids, ODD);
                            assertThat(taken.incrementAndGet()).isLessThan(100);
                        } catch (IdUnavailableException e) {
                            refusal.set(String.valueOf(e.getMessage()));
                        }
                        assertThat(refusal.get()).doesNotContain("locked");
                        return refusal.get().contains("distributedid repair " + ODD);
                    },
                    refusal::get);
            takers.awaitMore(200);
            takers.longestCall();
        }
        assertThat(twice).isEmpty();
    }

    private static long failures(DistributedIds ids, String sequence) {
        return ids.statistics(sequence).orElseThrow().blocks().orElseThrow().failedFetches();
    }
}
