package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.keyed.row.RowQueue.Line;
import io.distributedid.internal.keyed.row.RowQueue.Spot;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One connection to the database, and its thread, which serves calls of the {@link RowQueue}.
 *
 * <p>Calls for one key that wait at the same time share one statement: it adds the sum of their counts, and they divide
 * the numbers in the order of their arrival. Each has arrived before the statement began, so its numbers are greater
 * than those of all calls that had returned before. Keys that wait at the same time share a transaction.
 *
 * <p>The numbers of a statement whose answer was lost are a gap. A statement that failed is repeated, also for the
 * calls that have arrived since, until the time of the callers is over. Thread-safe.
 */
final class RowLane {

    private static final Logger LOG = System.getLogger(RowLane.class.getName());

    private final DedicatedConnection<RowSession> database;

    private final RowQueue queue;

    private final BackgroundLoop loop;

    /** The lines that were taken and are not served yet. For the thread alone, as {@code served}. */
    private final List<Line> taken = new ArrayList<>();

    private final List<Line> served = new ArrayList<>();

    RowLane(DedicatedConnection<RowSession> database, RowQueue queue, Platform platform) {
        this.database = database;
        this.queue = queue;
        loop = new BackgroundLoop(platform, "distributedid-keyed", this::round, RowLane::report);
    }

    private static void report(Throwable failure) {
        LOG.log(Level.WARNING, "The thread that takes numbers per key has failed, and continues", failure);
    }

    void keepRunning() {
        loop.keepRunning();
    }

    /** After an interrupt, the next round goes on with the same lines. */
    private void round() throws InterruptedException {
        if (taken.isEmpty()) {
            queue.release(served);
            served.clear();
            taken.addAll(queue.next());
        }
        taken.retainAll(queue.join(taken));
        try {
            serve();
        } catch (RuntimeException | Error e) {
            // Perhaps a bug of the driver.
            failAll(spot ->
                    new IdUnavailableException("A number could not be taken: " + spot + ". " + FailureText.of(e), e));
            throw e;
        }
    }

    private void serve() throws InterruptedException {
        if (taken.isEmpty()) {
            return;
        }
        try {
            Map<RowKey, Long> last = database.call(session -> last(session, taken));
            // Before the callers go on: the next call must not be told of an outage that is over.
            queue.recovered();
            for (Line line : List.copyOf(taken)) {
                Long ofLine = last.get(line.spot().row());
                if (ofLine != null) {
                    line.answer(ofLine);
                    leave(line);
                }
            }
            separate();
        } catch (IdsExhaustedException e) {
            queue.recovered();
            eachAlone(taken.get(0));
        } catch (DistributedIdException e) {
            refused(e, spot -> e);
        } catch (SQLException e) {
            if (isFinal(e)) {
                refused(e, spot -> unavailable(spot, e));
            } else if (!queue.repeat(taken, text(e))) {
                failAll(spot -> unavailable(spot, e));
            } else if (taken.size() == 1) {
                // Perhaps its row alone is locked: others come first.
                separate();
            }
        }
    }

    /** Several lines are those of numbers. Whoever gets none with others is left out. */
    private static Map<RowKey, Long> last(RowSession session, List<Line> lines) throws SQLException {
        if (lines.size() > 1) {
            return session.takeTogether(
                    lines.stream().collect(Collectors.toMap(line -> line.spot().row(), Line::count)));
        }
        Line line = lines.get(0);
        RowKey row = line.spot().row();
        return Map.of(row, line.spot().isRead() ? session.read(row) : session.take(row, line.count()));
    }

    /** Only a line that was served alone is told why there is no number. */
    private void refused(Exception why, Function<Spot, DistributedIdException> told) {
        LOG.log(Level.DEBUG, "Numbers could not be taken", why);
        if (taken.size() > 1) {
            separate();
        } else {
            failAll(told);
        }
    }

    private void separate() {
        if (!taken.isEmpty()) {
            queue.separate(taken);
            taken.clear();
        }
    }

    private void leave(Line line) {
        taken.remove(line);
        served.add(line);
    }

    /** Fewer numbers may be left than all calls want, but enough for some of them. */
    private void eachAlone(Line line) throws InterruptedException {
        for (Line each : line.single()) {
            try {
                each.answer(database.call(session -> session.take(each.spot().row(), each.count())));
            } catch (DistributedIdException e) {
                each.fail(e);
            } catch (SQLException e) {
                each.fail(unavailable(each.spot(), e));
            }
        }
        leave(line);
    }

    private void failAll(Function<Spot, DistributedIdException> why) {
        List<Line> failed = List.copyOf(taken);
        taken.clear();
        failed.forEach(line -> queue.fail(line, why.apply(line.spot())));
    }

    private IdUnavailableException unavailable(Spot spot, SQLException e) {
        return new IdUnavailableException(
                Pages.withOneRow("No number can be issued: " + spot + ". " + text(e) + Pages.onCall("keyed-late")), e);
    }

    private String text(SQLException e) {
        return database.label() + " said: " + FailureText.of(e);
    }

    /** A retry would fail in the same way: a right is missing, or the database can't store the key. */
    private static boolean isFinal(SQLException e) {
        return SqlErrors.isRefusal(e) || String.valueOf(e.getSQLState()).startsWith("22");
    }

    /** Starts nothing any more. Does not wait. */
    void stop() {
        loop.close();
        database.stop();
    }

    void cut() {
        database.cut();
    }

    /** Gives the connection back. */
    void close() {
        stop();
        database.close();
        loop.interrupt();
    }

    /** Aborts the connection: a copy of this process may have the same one. */
    void abandon() {
        stop();
        database.abandon();
        loop.interrupt();
    }
}
