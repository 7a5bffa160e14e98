package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.process.BackgroundLoop;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * One connection to a server, and its thread, which serves calls of the server's {@link RowQueue}.
 *
 * <p>Calls for one key that wait at the same time share one statement: it adds the sum of their counts, and they divide
 * the numbers in the order of their arrival. Each has arrived before the statement began, so its numbers are greater
 * than those of all calls that had returned before.
 *
 * <p>If a statement fails, the thread tries again until the time of the callers is over. The failed one may have taken
 * numbers; nobody gets them. Thread-safe.
 */
final class RowLane {

    private static final Logger LOG = System.getLogger(RowLane.class.getName());

    private static final long UNAGREED = -1;

    private static final long UNCOMPARED = -2;

    private final DedicatedConnection<RowSession> database;

    private final RowAgreement agreement;

    private final RowQueue queue;

    private final BackgroundLoop loop =
            new BackgroundLoop(BackgroundLoop.threads("distributedid-keyed"), this::round, RowLane::report);

    // For the thread alone.

    /** What was taken out last. */
    private List<RowCall> taken = List.of();

    private boolean isAnswered = true;

    RowLane(DedicatedConnection<RowSession> database, RowAgreement agreement, RowQueue queue) {
        this.database = database;
        this.agreement = agreement;
        this.queue = queue;
    }

    private static void report(Throwable failure) {
        LOG.log(Level.WARNING, "The thread that takes numbers per key has failed, and goes on", failure);
    }

    void keepRunning() {
        loop.keepRunning();
    }

    private void round() throws InterruptedException {
        // After an interrupt, the next round goes on with the same calls.
        taken = isAnswered ? queue.next(taken) : queue.again(taken);
        isAnswered = taken.isEmpty();
        if (isAnswered) {
            return;
        }
        try {
            isAnswered = serve(taken);
        } catch (RuntimeException | Error e) {
            // Perhaps a bug of the driver.
            isAnswered = true;
            finish(
                    taken,
                    new IdUnavailableException(
                            "A number could not be taken: " + taken.get(0).spot() + ". " + FailureText.of(e), e));
            throw e;
        }
    }

    /** Returns whether all calls are answered. */
    private boolean serve(List<RowCall> calls) throws InterruptedException {
        RowCall.Spot spot = calls.get(0).spot();
        try {
            long last = run(spot, sum(calls));
            // Before the callers go on: the next call must not be told of an outage that is over.
            queue.recovered();
            divide(calls, last);
        } catch (IdsExhaustedException e) {
            eachAlone(calls, e);
        } catch (DistributedIdException e) {
            finish(calls, e);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A number could not be taken: " + spot + " on " + database.label(), e);
            if (!isFinal(e) && queue.repeat(calls, database.label() + " said: " + FailureText.of(e))) {
                return false;
            }
            finish(calls, unavailable(spot, e));
        }
        return true;
    }

    private static long sum(List<RowCall> calls) {
        return calls.stream().mapToLong(RowCall::count).sum();
    }

    private long run(RowCall.Spot spot, long count) throws SQLException, InterruptedException {
        if (spot.isRead()) {
            return database.call(session -> session.current(spot.sequence(), spot.key()));
        }
        long last = take(spot, count);
        if (last == UNAGREED) {
            agreement.reach(spot.sequence());
            last = take(spot, count);
        }
        if (last == UNCOMPARED) {
            agreement.compare(spot.sequence());
            last = take(spot, count);
        }
        if (last < 0) {
            throw new SQLException("The record of a sequence was deleted while it was written: " + spot);
        }
        agreement.begun(spot.sequence());
        return last;
    }

    private long take(RowCall.Spot spot, long count) throws SQLException, InterruptedException {
        return database.call(session -> {
            Optional<RowRecord> record = session.agreed(spot.sequence());
            if (record.isEmpty()) {
                return UNAGREED;
            }
            return agreement.isCompared(spot.sequence(), record.get())
                    ? session.take(spot.sequence(), spot.key(), count)
                    : UNCOMPARED;
        });
    }

    private static void divide(List<RowCall> calls, long last) {
        long given = last - sum(calls);
        for (RowCall call : calls) {
            given += call.count();
            call.succeed(given);
        }
    }

    /** Fewer numbers may be left than all calls want, but enough for some of them. */
    private void eachAlone(List<RowCall> calls, IdsExhaustedException failure) throws InterruptedException {
        queue.recovered();
        for (RowCall call : calls) {
            try {
                if (calls.size() == 1) {
                    throw failure;
                }
                call.succeed(run(call.spot(), call.count()));
            } catch (DistributedIdException e) {
                call.fail(e);
            } catch (SQLException e) {
                call.fail(unavailable(call.spot(), e));
            }
        }
        queue.answered(calls);
    }

    private void finish(List<RowCall> calls, DistributedIdException why) {
        queue.answered(calls);
        calls.forEach(call -> call.fail(why));
    }

    private IdUnavailableException unavailable(RowCall.Spot spot, SQLException e) {
        return new IdUnavailableException(
                "No number can be issued: " + spot + ". " + database.label() + " said: " + FailureText.of(e), e);
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
