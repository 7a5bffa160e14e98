package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One of two servers is killed, comes back, and hangs, while 100 sequences take ids whose blocks are reserved together.
 * The counter of one sequence is raised by somebody else, and its row is locked: no caller is refused, no id is given
 * twice, and the other sequences go on.
 */
@Needs(Need.MYSQL)
class ManySequencesFaultTest {

    private static final int SEQUENCES = 100;

    private static final int THREADS = 8;

    /** The servers need the processors too. */
    private static final long PAUSE_NANOS = 100_000;

    private static final int DEADLOCK = 1213;

    /** Its counter is raised, and its row is locked. */
    private static final String ODD = "s7";

    private static final long RAISED = 50_000_000;

    /** Where the sequences take their ids from. */
    private enum Kind {
        SEQUENCE_TABLE("sequence_table", "SELECT id FROM sequence WHERE name = '" + ODD + "' FOR UPDATE"),
        /** A row that all sequences share. No test locks it. */
        TICKET_TABLE("ticket", ""),
        OWN_TICKET_TABLES("ticket", "SELECT id FROM Tickets_" + ODD + " FOR UPDATE");

        private final String backend;

        /** Locks the row of the odd sequence. */
        private final String lock;

        Kind(String backend, String lock) {
            this.backend = backend;
            this.lock = lock;
        }
    }

    private FaultServer steady;

    private FaultServer failing;

    private final Set<String> given = ConcurrentHashMap.newKeySet();

    private final Set<String> twice = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean over = new AtomicBoolean();

    private final AtomicInteger taken = new AtomicInteger();

    private final AtomicLong longest = new AtomicLong();

    /** How many ids of the odd sequence were taken. */
    private final AtomicInteger odd = new AtomicInteger();

    /** The largest of them. */
    private final AtomicLong highest = new AtomicLong();

    private final List<Future<?>> takers = new ArrayList<>();

    @BeforeEach
    void start() throws IOException, SQLException {
        steady = FaultServer.of("steady", MySqlServers.shard(0), "many_ids");
        failing = FaultServer.of("failing", MySqlServers.shard(1), "many_ids");
    }

    private DistributedIds client(Kind kind) {
        String backend = kind.backend;
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", steady.url() + ", " + failing.url());
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.block.timeout", "1m");
        settings.put("distributedid.block.max", 40);
        if (backend.equals("ticket")) {
            settings.put("distributedid.ticket.numbering", "client");
        }
        if (kind == Kind.OWN_TICKET_TABLES) {
            sequences().forEach(each -> settings.put("distributedid.seq." + each + ".ticket.table", "Tickets_" + each));
        }
        return DistributedIds.create(settings);
    }

    private static List<String> sequences() {
        return IntStream.range(0, SEQUENCES).mapToObj(number -> "s" + number).toList();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    void noCallerIsRefused(Kind kind) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
        try (DistributedIds ids = client(kind);
                DistributedIds other = client(kind)) {
            long began = System.nanoTime();
            ids.admin().prepare(sequences());
            System.out.println("many sequences: " + kind + ": prepared in "
                    + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms");
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * SEQUENCES / THREADS;
                takers.add(threads.submit(() -> takeOthers(ids, first, kind)));
            }
            takers.add(threads.submit(() -> takeOdd(ids, kind)));
            report("before", 2_000);

            other.admin().raise(ODD, RAISED);
            report("one counter is raised", 5_000);
            Await.until("its ids are above", () -> highest.get() > RAISED, highest::get);

            lockRow(kind);

            failing.server().kill9();
            report("one server is killed", 5_000);

            failing.server().restart();
            Await.until(
                    "both servers are used",
                    () -> isUsed(ids) || takers.stream().anyMatch(Future::isDone));
            report("it is back", 5_000);

            failing.server().pause();
            report("it hangs", 5_000);

            failing.server().resume();
            Await.until(
                    "both servers are used",
                    () -> isUsed(ids) || takers.stream().anyMatch(Future::isDone));
            report("it goes on", 5_000);
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

    /** On both servers. The callers of its sequence wait, the others do not. */
    private void lockRow(Kind kind) throws Exception {
        if (kind.lock.isEmpty()) {
            return;
        }
        try (Connection one = DriverManager.getConnection(steady.url());
                Connection two = DriverManager.getConnection(failing.url())) {
            for (Connection each : List.of(one, two)) {
                each.setAutoCommit(false);
                lock(each, kind.lock);
            }
            report("a row is locked", 5_000);
            one.rollback();
            two.rollback();
        }
        int before = odd.get();
        report("it is no longer", 2_000);
        Await.until("ids of its sequence are given", () -> odd.get() > before + 100, odd::get);
    }

    /** Repeats a deadlock: the clients change the rows that the statement passes, one after the other. */
    private static void lock(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (e.getErrorCode() != DEADLOCK) {
                throw e;
            }
            lock(connection, sql);
        }
    }

    private Void takeOthers(DistributedIds ids, int first, Kind kind) {
        List<String> others =
                sequences().stream().filter(each -> !each.equals(ODD)).toList();
        for (int i = first; !over.get(); i++) {
            long began = System.nanoTime();
            take(ids, others.get(i % others.size()), kind);
            longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            taken.incrementAndGet();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return null;
    }

    private Void takeOdd(DistributedIds ids, Kind kind) {
        while (!over.get()) {
            highest.accumulateAndGet(take(ids, ODD, kind), Math::max);
            odd.incrementAndGet();
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        return null;
    }

    /** Sequences that share a ticket table share the numbers. */
    private long take(DistributedIds ids, String sequence, Kind kind) {
        long id = ids.next(sequence);
        String name = (kind == Kind.TICKET_TABLE ? "" : sequence) + " " + id;
        if (!given.add(name)) {
            twice.add(name);
        }
        return id;
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
        System.out.println("many sequences: " + when + ": longest call of the others "
                + Duration.ofNanos(longest.get()).toMillis() + " ms");
    }
}
