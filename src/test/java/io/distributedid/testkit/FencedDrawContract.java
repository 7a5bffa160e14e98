package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.provider.Arguments;

/**
 * A draw and a change of the same counter wait for its row, in either order, at the isolations that applications
 * configure: no id is given twice, no caller sees an error that the change does not mean, and a counter that has ended
 * gives nothing.
 */
public abstract class FencedDrawContract {

    private static final long RAISED = 1_000;

    private static final String ENDED =
            "The counters have ended, by move --end, a merge, or a move to another backend: table=";

    /** MySQL shows the same picture to whoever asks more often than every 100 ms. */
    private static final Duration PAUSE = Duration.ofMillis(150);

    /** The cases wait for most of their time, each in a schema of its own. */
    private static final int AT_ONCE = 12;

    protected static final List<Arguments> ORDERS = Stream.of(
                    Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ)
            .flatMap(isolation -> Stream.of(true, false).map(drawFirst -> Arguments.of(isolation, drawFirst)))
            .toList();

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private List<String> waiting = List.of();

    private long looked = System.nanoTime() - PAUSE.toNanos();

    /** What changes a counter. */
    public enum Change {
        RAISE,
        END
    }

    /** By backend: locks the counter. */
    private static final Map<String, String> LOCKS = Map.of(
            "ticket",
            "SELECT id FROM Tickets64 WHERE stub = 'a' FOR UPDATE",
            "sequence_table",
            "SELECT id FROM sequence WHERE name = 'photos' FOR UPDATE");

    /** The URL of a database or schema that is empty. */
    protected abstract String url(String name) throws SQLException;

    /** A query of the names, as in {@link #url}, of the sessions that wait for a lock, of a row or of a table. */
    protected abstract String waiting();

    @TestFactory
    Stream<DynamicTest> aDrawAndAChangeThatWaitForTheRowDoNotOverlap() {
        ExecutorService cases = Executors.newFixedThreadPool(AT_ONCE);
        List<DynamicTest> tests = new ArrayList<>();
        for (Change change : Change.values()) {
            for (String backend : LOCKS.keySet()) {
                for (Arguments order : ORDERS) {
                    tests.add(started(cases, change, backend, order, tests.size()));
                }
            }
        }
        cases.shutdown();
        return tests.stream().onClose(threads::shutdownNow);
    }

    private DynamicTest started(ExecutorService cases, Change change, String backend, Arguments order, int number) {
        int isolation = (Integer) order.get()[0];
        boolean drawFirst = (Boolean) order.get()[1];
        String name = ("fenced_" + change + backend + number).toLowerCase(Locale.ROOT);
        Future<?> running = cases.submit(() -> {
            both(backend, name, change, isolation, drawFirst);
            return null;
        });
        return DynamicTest.dynamicTest(name + " isolation=" + isolation + " drawFirst=" + drawFirst, () -> {
            try {
                running.get();
            } catch (ExecutionException e) {
                throw e.getCause();
            }
        });
    }

    private void both(String backend, String name, Change change, int isolation, boolean drawFirst) throws Exception {
        String url = url(name);
        DataSource server = new SwitchingDataSource(url, isolation);
        GivenIds ids = new GivenIds();
        try (DistributedIds drawing = client(backend, List.of(server));
                DistributedIds changing = client(backend, List.of(server))) {
            ids.take(drawing, 3);
            ids.take(changing, 3);
            Callable<Long> draw = () -> drawing.next("photos");
            Callable<Long> alter = () -> untilInTime(change, changing);
            Future<Long> drawn;
            Future<Long> altered;
            try (Connection holder = server.getConnection();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute(LOCKS.get(backend));
                Future<Long> before = threads.submit(drawFirst ? draw : alter);
                awaitWaiting(name, 1, before);
                Future<Long> after = threads.submit(drawFirst ? alter : draw);
                awaitWaiting(name, before.isDone() ? 1 : 2, after);
                drawn = drawFirst ? before : after;
                altered = drawFirst ? after : before;
                holder.rollback();
            }
            long unused = altered.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (change == Change.END) {
                assertThatItHasEnded(drawn, ids, List.of(changing, drawing));
                try (DistributedIds next = client(backend, List.of(server))) {
                    assertThat(ids.takeUntilRefused(next, 1)).hasMessageContaining(ENDED);
                }
            } else {
                ids.add(drawn.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
                for (DistributedIds client : List.of(changing, drawing)) {
                    ids.take(client, 50);
                    assertThat(ids.highest()).isGreaterThan(change == Change.RAISE ? RAISED : 0);
                }
            }
        }
        ids.assertNoneTwice();
    }

    /** The draw may have been faster, and a block may have been drawn ahead. */
    private static void assertThatItHasEnded(Future<Long> drawn, GivenIds ids, List<DistributedIds> clients)
            throws Exception {
        try {
            ids.add(drawn.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            assertThat(e.getCause()).hasMessageContaining(ENDED);
        }
        for (DistributedIds client : clients) {
            ids.takeUntilRefusedFor(client, 3, ENDED);
        }
    }

    /** The wait for a row is short: the error says to repeat the call. */
    private static long untilInTime(Change change, DistributedIds ids) {
        while (true) {
            try {
                return alter(change, ids);
            } catch (IdUnavailableException e) {
                if (!String.valueOf(e.getMessage()).contains("Lock wait timeout exceeded")) {
                    throw e;
                }
            }
        }
    }

    private static long alter(Change change, DistributedIds ids) {
        switch (change) {
            case RAISE -> ids.admin().raise("photos", RAISED);
            case END ->
                ids.admin()
                        .move(
                                "photos",
                                new CounterMove(
                                        CounterMove.Kind.END,
                                        List.of(),
                                        0,
                                        Set.of(),
                                        false,
                                        highest -> {},
                                        token -> {}));
        }
        return 0;
    }

    private void awaitWaiting(String name, int count, Future<?> last) {
        Await.every(
                PAUSE,
                Await.PATIENCE,
                count + " sessions wait for the row",
                () -> last.isDone() || Collections.frequency(waitingNow(), name) >= count,
                this::waitingNow);
    }

    /** All cases look at one picture, which is not taken too often. */
    private synchronized List<String> waitingNow() throws SQLException {
        if (System.nanoTime() - looked > PAUSE.toNanos()) {
            waiting = DatabaseRows.rows(url("fenced"), waiting());
            looked = System.nanoTime();
        }
        return waiting;
    }

    /** Every id is a draw of its own. */
    private static DistributedIds client(String backend, List<DataSource> servers) {
        return GivenIds.client(
                backend, servers, "block.min", 1, "block.max", 1, "block.timeout", "10s", "timeout", "30s");
    }
}
