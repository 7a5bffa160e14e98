package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.process.BackgroundLoop;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;

/**
 * A thread that serves calls of a {@link RowQueue}. If a statement fails, it tries again until the time of the callers
 * is over. Thread-safe.
 */
final class RowWorker {

    private static final Logger LOG = System.getLogger(RowWorker.class.getName());

    /** What it does with the calls of one spot. */
    @FunctionalInterface
    interface Service {

        /** Answers the calls, or hands them on. */
        void serve(List<RowCall> calls) throws SQLException, InterruptedException;
    }

    private final RowQueue queue;

    private final Service service;

    private final BackgroundLoop loop =
            new BackgroundLoop(BackgroundLoop.threads("distributedid-keyed"), this::round, RowWorker::report);

    // For the thread alone.

    /** What was taken out last. */
    private List<RowCall> taken = List.of();

    private boolean isServed = true;

    RowWorker(RowQueue queue, Service service) {
        this.queue = queue;
        this.service = service;
    }

    private static void report(Throwable failure) {
        LOG.log(Level.WARNING, "The thread that takes numbers per key has failed, and goes on", failure);
    }

    void keepRunning() {
        loop.keepRunning();
    }

    private void round() throws InterruptedException {
        // After an interrupt, the next round goes on with the same calls.
        taken = isServed ? queue.next(taken) : queue.again(taken);
        isServed = taken.isEmpty();
        if (isServed) {
            return;
        }
        try {
            isServed = serve(taken);
        } catch (RuntimeException | Error e) {
            // Perhaps a bug of the driver.
            isServed = true;
            finish(
                    taken,
                    new IdUnavailableException(
                            "A number could not be taken: " + taken.get(0).spot() + ". " + FailureText.of(e), e));
            throw e;
        }
    }

    /** Returns whether nothing is left to do for all calls. */
    private boolean serve(List<RowCall> calls) throws InterruptedException {
        try {
            service.serve(calls);
        } catch (DistributedIdException e) {
            finish(calls, e);
        } catch (SQLException e) {
            RowCall.Spot spot = calls.get(0).spot();
            LOG.log(Level.DEBUG, "A number could not be taken: " + spot, e);
            if (!isFinal(e) && queue.repeat(calls, FailureText.of(e))) {
                return false;
            }
            finish(calls, unavailable(spot, e));
        }
        return true;
    }

    private void finish(List<RowCall> calls, DistributedIdException why) {
        queue.answered(calls);
        calls.forEach(call -> call.fail(why));
    }

    static IdUnavailableException unavailable(RowCall.Spot spot, SQLException e) {
        return new IdUnavailableException("No number can be issued: " + spot + ". " + FailureText.of(e), e);
    }

    /** A retry would fail in the same way: a right is missing, or the database can't store the key. */
    private static boolean isFinal(SQLException e) {
        return SqlErrors.isRefusal(e) || String.valueOf(e.getSQLState()).startsWith("22");
    }

    /** Starts nothing any more. Does not wait. */
    void stop() {
        loop.close();
    }

    void interrupt() {
        loop.interrupt();
    }
}
