package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.keyed.row.RowCall.Spot;
import io.distributedid.internal.process.BackgroundLoop;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One connection to the database, and its thread, which serves calls of the {@link RowQueue}.
 *
 * <p>Calls for one key that wait at the same time share one statement: it adds the sum of their counts, and they divide
 * the numbers in the order of their arrival. Each has arrived before the statement began, so its numbers are greater
 * than those of all calls that had returned before. Keys that wait at the same time share a transaction, see
 * {@link RowBatch}.
 *
 * <p>The numbers of a statement whose answer was lost are a gap. A statement that failed is repeated until the time of
 * the callers is over. Thread-safe.
 */
final class RowLane {

    private static final Logger LOG = System.getLogger(RowLane.class.getName());

    private final DedicatedConnection<RowSession> database;

    private final KnownRecords records;

    private final RowQueue queue;

    private final BackgroundLoop loop =
            new BackgroundLoop(Platform.JVM, "distributedid-keyed", this::round, RowLane::report);

    /** The calls that were taken out and are not answered yet. For the thread alone. */
    private final Map<Spot, List<RowCall>> taken = new HashMap<>();

    /** Those that were answered since. */
    private final Map<Spot, List<RowCall>> answered = new HashMap<>();

    RowLane(DedicatedConnection<RowSession> database, KnownRecords records, RowQueue queue) {
        this.database = database;
        this.records = records;
        this.queue = queue;
    }

    private static void report(Throwable failure) {
        LOG.log(Level.WARNING, "The thread that takes numbers per key has failed, and goes on", failure);
    }

    void keepRunning() {
        loop.keepRunning();
    }

    /** After an interrupt, the next round goes on with the same calls. */
    private void round() throws InterruptedException {
        Map<Spot, List<RowCall>> next = taken.isEmpty() ? queue.next(answered) : queue.again(taken);
        taken.clear();
        answered.clear();
        taken.putAll(next);
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
        try {
            if (taken.size() > 1) {
                takeTogether();
                queue.separate(taken);
                taken.clear();
            }
            for (Spot spot : List.copyOf(taken.keySet())) {
                serve(spot);
            }
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Numbers could not be taken: " + taken.keySet(), e);
            if (!queue.repeat(taken, FailureText.of(e))) {
                failAll(spot -> unavailable(spot, e));
            }
        }
    }

    /** Whoever gets no number here is served alone, and told why there is none. */
    private void takeTogether() throws SQLException, InterruptedException {
        Map<Spot, Long> counts = new HashMap<>();
        taken.forEach((spot, calls) -> counts.put(spot, sum(calls)));
        Map<Spot, Long> last;
        try {
            last = in(session -> session.takeTogether(counts, records));
        } catch (DistributedIdException e) {
            LOG.log(Level.DEBUG, "Numbers could not be taken together", e);
            return;
        } catch (SQLException e) {
            if (isFinal(e)) {
                LOG.log(Level.DEBUG, "Numbers could not be taken together", e);
                return;
            }
            throw e;
        }
        queue.recovered();
        last.forEach(this::answer);
    }

    private void serve(Spot spot) throws SQLException, InterruptedException {
        List<RowCall> calls = calls(spot);
        try {
            long last = last(spot, sum(calls));
            // Before the callers go on: the next call must not be told of an outage that is over.
            queue.recovered();
            answer(spot, last);
        } catch (IdsExhaustedException e) {
            queue.recovered();
            if (calls.size() == 1) {
                fail(spot, e);
            } else {
                eachAlone(spot);
            }
        } catch (DistributedIdException e) {
            fail(spot, e);
        } catch (SQLException e) {
            if (!isFinal(e)) {
                throw e;
            }
            fail(spot, unavailable(spot, e));
        }
    }

    private List<RowCall> calls(Spot spot) {
        return taken.getOrDefault(spot, List.of());
    }

    private static long sum(List<RowCall> calls) {
        return calls.stream().mapToLong(RowCall::count).sum();
    }

    private <T> T in(DedicatedConnection.Work<RowSession, T> work) throws SQLException, InterruptedException {
        try {
            return database.call(work);
        } catch (SQLException e) {
            throw RowException.of(database.label(), e);
        }
    }

    private long last(Spot spot, long count) throws SQLException, InterruptedException {
        return in(session -> spot.isRead() ? read(session, spot) : session.take(spot, count, records));
    }

    /** Before the first use there is no record, but an operator may have inserted rows. */
    private long read(RowSession session, Spot spot) throws SQLException {
        Optional<RowRecord> record = records.read(spot.sequence(), session::record);
        long last = session.last(spot);
        record.ifPresent(used -> records.note(spot.sequence(), used));
        return last;
    }

    private void answer(Spot spot, long last) {
        List<RowCall> calls = leave(spot);
        answered.put(spot, calls);
        long given = last - sum(calls);
        for (RowCall call : calls) {
            given += call.count();
            call.succeed(given);
        }
    }

    private List<RowCall> leave(Spot spot) {
        List<RowCall> calls = calls(spot);
        taken.remove(spot);
        return calls;
    }

    /** Fewer numbers may be left than all calls want, but enough for some of them. */
    private void eachAlone(Spot spot) throws InterruptedException {
        List<RowCall> calls = leave(spot);
        answered.put(spot, calls);
        for (RowCall call : calls) {
            try {
                call.succeed(last(spot, call.count()));
            } catch (DistributedIdException e) {
                call.fail(e);
            } catch (SQLException e) {
                call.fail(unavailable(spot, e));
            }
        }
    }

    private void fail(Spot spot, DistributedIdException why) {
        List<RowCall> calls = leave(spot);
        queue.answered(spot, calls);
        calls.forEach(call -> call.fail(why));
    }

    private void failAll(Function<Spot, DistributedIdException> why) {
        List.copyOf(taken.keySet()).forEach(spot -> fail(spot, why.apply(spot)));
    }

    private static IdUnavailableException unavailable(Spot spot, SQLException e) {
        return new IdUnavailableException("No number can be issued: " + spot + ". " + FailureText.of(e), e);
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
