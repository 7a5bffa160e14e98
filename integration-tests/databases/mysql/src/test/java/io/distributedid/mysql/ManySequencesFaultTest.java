package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.RealServers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of two servers is killed, comes back, and hangs, while 200 sequences take ids whose blocks are reserved together:
 * no caller is refused, and no id is given twice.
 */
class ManySequencesFaultTest {

    private static final int SEQUENCES = 200;

    private static final int THREADS = 8;

    @TempDir
    Path folder;

    private FaultServer steady;

    private FaultServer failing;

    private final Set<String> given = ConcurrentHashMap.newKeySet();

    private final Set<String> twice = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean over = new AtomicBoolean();

    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicLong longest = new AtomicLong();

    private final List<Future<?>> takers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        RealServers.requireMySql();
        steady = FaultServer.start(folder, "steady", "ids");
        failing = FaultServer.start(folder, "failing", "ids");
    }

    @AfterEach
    void stop() throws IOException {
        steady.close();
        failing.close();
    }

    private DistributedIds client(String backend) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", steady.url() + ", " + failing.url());
        settings.put("distributedid." + backend + ".create_table", true);
        settings.put("distributedid.block.timeout", "1m");
        settings.put("distributedid.block.max", 40);
        if (backend.equals("ticket")) {
            settings.put("distributedid.ticket.numbering", "client");
        }
        return DistributedIds.create(settings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequence_table", "ticket"})
    @Timeout(240)
    void noCallerIsRefused(String backend) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (DistributedIds ids = client(backend)) {
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * SEQUENCES / THREADS;
                takers.add(threads.submit(() -> take(ids, first, backend.equals("ticket"))));
            }
            report("before", 4_000);

            failing.server().kill9();
            report("one server is killed", 10_000);

            failing.server().restart();
            Await.until(
                    "both servers are used",
                    () -> isUsed(ids) || takers.stream().anyMatch(Future::isDone));
            report("it is back", 10_000);

            failing.server().pause();
            report("it hangs", 10_000);

            failing.server().resume();
            Await.until(
                    "both servers are used",
                    () -> isUsed(ids) || takers.stream().anyMatch(Future::isDone));
            report("it goes on", 10_000);
            over.set(true);
            for (Future<?> each : takers) {
                each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
        assertThat(twice).isEmpty();
    }

    /** All sequences of tickets share a table, and so the numbers. */
    private Void take(DistributedIds ids, int first, boolean isShared) {
        List<String> sequences =
                IntStream.range(0, SEQUENCES).mapToObj(number -> "s" + number).toList();
        for (int i = first; !over.get(); i++) {
            String sequence = sequences.get(i % SEQUENCES);
            long began = System.nanoTime();
            long id = ids.next(sequence);
            longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            String name = (isShared ? "" : sequence) + " " + id;
            if (!given.add(name)) {
                twice.add(name);
            }
            taken.incrementAndGet();
        }
        return null;
    }

    private boolean isUsed(DistributedIds ids) {
        return ids.statistics("s0").orElseThrow().servers().stream()
                .allMatch(server -> server.failure().isEmpty());
    }

    /** Waits for ids, and prints the longest call of that time. */
    private void report(String when, int ids) {
        longest.set(0);
        int before = taken.get();
        Await.until(
                ids + " ids are taken",
                () -> taken.get() - before >= ids || takers.stream().anyMatch(Future::isDone),
                taken::get);
        System.out.println("many sequences: " + when + ": longest call "
                + Duration.ofNanos(longest.get()).toMillis() + " ms");
    }
}
