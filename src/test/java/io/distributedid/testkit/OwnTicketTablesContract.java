package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two clients of many sequences, each with a ticket table of its own, whose blocks are reserved together: no id is
 * given twice, and what happens to one table is no matter of the others.
 */
public abstract class OwnTicketTablesContract {

    private static final int SEQUENCES = 24;

    private static final int THREADS = 6;

    /** Whoever waits for the odd table needs the processors too. */
    private static final long PAUSE_NANOS = 1_000_000;

    /** Locked or dropped while the others go on. */
    private static final String ODD = "s7";

    private final Set<String> given = ConcurrentHashMap.newKeySet();

    private final Set<String> twice = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean over = new AtomicBoolean();

    private final AtomicInteger taken = new AtomicInteger();

    private final List<Future<?>> takers = new ArrayList<>();

    /** The URL of an empty database. */
    protected abstract String url(String name) throws SQLException;

    private static DistributedIds client(String url, Object... more) {
        List<Object> settings =
                new ArrayList<>(List.of("block.min", 2, "block.max", 8, "block.timeout", "30s", "timeout", "5s"));
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            settings.addAll(List.of("seq.s" + sequence + ".ticket.table", "Tickets_s" + sequence));
        }
        settings.addAll(List.of(more));
        return GivenIds.tickets(url, settings.toArray());
    }

    private void take(DistributedIds ids, String sequence) {
        String id = sequence + " " + ids.next(sequence);
        if (!given.add(id)) {
            twice.add(id);
        }
        taken.incrementAndGet();
    }

    private Void takeUntilOver(DistributedIds ids, int first) {
        List<String> others = IntStream.range(0, SEQUENCES)
                .mapToObj(number -> "s" + number)
                .filter(each -> !each.equals(ODD))
                .toList();
        for (int i = first; !over.get(); i++) {
            take(ids, others.get(i % others.size()));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return null;
    }

    private void awaitMore(int ids) {
        int before = taken.get();
        Await.until(
                "ids are taken",
                () -> taken.get() - before >= ids || takers.stream().anyMatch(Future::isDone));
    }

    /** What happens to the odd table while threads take ids of all others. */
    @FunctionalInterface
    private interface Trouble {

        void with(DistributedIds ids) throws Exception;
    }

    private void takeDuring(String url, Trouble trouble, Object... settings) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (DistributedIds one = client(url, settings);
                DistributedIds other = client(url, settings)) {
            take(one, ODD);
            for (int thread = 0; thread < THREADS; thread++) {
                DistributedIds client = thread % 2 == 0 ? one : other;
                int first = thread * SEQUENCES / THREADS;
                takers.add(threads.submit(() -> takeUntilOver(client, first)));
            }
            awaitMore(200);
            trouble.with(one);
            awaitMore(200);
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

    @Test
    @Timeout(180)
    void aMissingTableIsNoMatterOfTheOthers() throws Exception {
        String url = url("own_missing");
        takeDuring(
                url,
                ids -> {
                    DatabaseRows.execute(url, "DROP TABLE Tickets_" + ODD);
                    AtomicReference<String> refusal = new AtomicReference<>("none");
                    ExecutorService odd = Executors.newSingleThreadExecutor();
                    try {
                        Future<?> caller = odd.submit(() -> {
                            try {
                                IntStream.range(0, 100).forEach(each -> take(ids, ODD));
                            } catch (IdUnavailableException | IdConfigurationException e) {
                                refusal.set(String.valueOf(e.getMessage()));
                            }
                        });
                        awaitMore(200);
                        caller.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    } finally {
                        odd.shutdownNow();
                    }
                    assertThat(refusal.get()).containsIgnoringCase("Tickets_" + ODD);
                },
                "seq." + ODD + ".block.timeout",
                "5s");
    }

    @Test
    @Timeout(180)
    void aRowThatAnotherTransactionHasLockedIsNoMatterOfTheOthers() throws Exception {
        String url = url("own_locked");
        takeDuring(url, ids -> {
            ExecutorService odd = Executors.newSingleThreadExecutor();
            Future<?> caller;
            try (Connection holder = DriverManager.getConnection(url);
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute("SELECT id FROM Tickets_" + ODD + " FOR UPDATE");
                caller = odd.submit(() -> IntStream.range(0, 40).forEach(each -> take(ids, ODD)));
                awaitMore(300);
                assertThat(caller.isDone()).isFalse();
                holder.rollback();
            }
            long began = System.nanoTime();
            caller.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            odd.shutdownNow();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
        });
    }
}
