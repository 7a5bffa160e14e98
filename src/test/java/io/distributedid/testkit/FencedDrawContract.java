package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.sequencetable.SequenceTableMove;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A draw and a change of the same counter wait for its row, in either order, at the isolations that applications configure: no id is
 * given twice, and no caller sees an error that the change does not mean.
 */
public abstract class FencedDrawContract {

    private static final long RAISED = 1_000;

    /** MySQL shows the same picture to whoever asks more often than every 100 ms. */
    private static final long POLL_MILLIS = 150;

    private static final long PATIENCE_NANOS = 30_000_000_000L;

    protected static final List<Arguments> ORDERS = Stream.of(
                    Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ)
            .flatMap(isolation -> Stream.of(true, false).map(drawFirst -> Arguments.of(isolation, drawFirst)))
            .toList();

    private final GivenIds given = new GivenIds();

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** What changes a counter. */
    public enum Change {
        RAISE,
        REPAIR,
        RETIRE,
        MOVE
    }

    /** The URL of a database or schema that is empty. */
    protected abstract String url(String name) throws SQLException;

    protected abstract List<String> backends();

    /** Counts the sessions that wait for a lock. */
    protected abstract String waiting();

    @ParameterizedTest
    @EnumSource
    void aDrawAndAChangeThatWaitForTheRowDoNotOverlap(Change change) throws Exception {
        int number = 0;
        for (String backend : change == Change.MOVE ? List.of("sequence_table") : backends()) {
            for (Arguments order : ORDERS) {
                String name = ("fenced_" + change + backend + number++).toLowerCase(Locale.ROOT);
                both(backend, name, change, (Integer) order.get()[0], (Boolean) order.get()[1]);
            }
        }
        threads.shutdown();
        given.assertNoneTwice();
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
            DataSource second = new SwitchingDataSource(url(name + "_2"), isolation);
            Callable<Long> alter = () -> alter(change, changing, server, second);
            Future<Long> drawn;
            Future<Long> altered;
            try (Connection holder = server.getConnection();
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement
                        .executeQuery(
                                backend.equals("ticket")
                                        ? "SELECT id FROM Tickets64 WHERE stub = 'a' FOR UPDATE"
                                        : "SELECT id FROM sequence WHERE name = 'photos' FOR UPDATE")
                        .close();
                Future<Long> before = threads.submit(drawFirst ? draw : alter);
                awaitWaiting(url, 1, before);
                Future<Long> after = threads.submit(drawFirst ? alter : draw);
                awaitWaiting(url, before.isDone() ? 1 : 2, after);
                drawn = drawFirst ? before : after;
                altered = drawFirst ? after : before;
                holder.rollback();
            }
            altered.get(30, TimeUnit.SECONDS);
            boolean isGone = change == Change.MOVE || change == Change.RETIRE;
            if (!isGone || drawFirst || !fails(drawn)) {
                ids.add(drawn.get(30, TimeUnit.SECONDS));
            }
            if (isGone) {
                assertThat(ids.tryToTake(drawing, 1)).isNotNull();
                assertThat(ids.tryToTake(changing, 1)).isNotNull();
            }
            if (change == Change.MOVE) {
                try (DistributedIds moved = client(backend, List.of(server, second))) {
                    ids.take(moved, 100);
                }
            } else if (!isGone) {
                for (DistributedIds client : List.of(changing, drawing)) {
                    ids.take(client, 50);
                    assertThat(ids.highest()).isGreaterThan(change == Change.RAISE ? RAISED : 0);
                }
            }
        }
        ids.assertNoneTwice();
    }

    private static boolean fails(Future<?> call) throws InterruptedException {
        try {
            call.get();
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private static Long alter(Change change, DistributedIds ids, DataSource server, DataSource second)
            throws Exception {
        switch (change) {
            case RAISE -> ids.raiseAbove("photos", RAISED);
            case REPAIR -> ids.repair("photos", 0);
            case RETIRE -> ids.retire("photos");
            case MOVE -> SequenceTableMove.move(List.of(server), List.of(server, second), "sequence");
        }
        return 0L;
    }

    private void awaitWaiting(String url, int count, Future<?> last) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (DatabaseRows.number(url, waiting()) < count && !last.isDone()) {
            assertThat(System.nanoTime()).as("waits for the row").isLessThan(deadline);
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Every id is a draw of its own. */
    private static DistributedIds client(String backend, List<DataSource> servers) {
        return GivenIds.client(
                backend, servers, "block.min", 1, "block.max", 1, "block.timeout", "4s", backend + ".timeout", "10s");
    }
}
