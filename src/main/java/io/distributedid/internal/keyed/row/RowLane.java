package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.DedicatedConnection;
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
 * <p>Nobody gets the numbers of a statement whose answer was lost. Thread-safe.
 */
final class RowLane {

    /** The sequence has not begun. */
    private static final long UNAGREED = -1;

    /** The records of servers must be compared first. */
    private static final long UNCOMPARED = -2;

    private final DedicatedConnection<RowSession> database;

    private final RowComparison comparison;

    private final RowBeginning beginning;

    private final RowQueue queue;

    private final RowWorker worker;

    RowLane(
            DedicatedConnection<RowSession> database,
            RowComparison comparison,
            RowBeginning beginning,
            RowQueue queue) {
        this.database = database;
        this.comparison = comparison;
        this.beginning = beginning;
        this.queue = queue;
        worker = new RowWorker(queue, this::serve);
    }

    void keepRunning() {
        worker.keepRunning();
    }

    private void serve(List<RowCall> calls) throws SQLException, InterruptedException {
        try {
            long last = run(calls.get(0).spot(), sum(calls));
            // Before the callers go on: the next call must not be told of an outage that is over.
            queue.recovered();
            if (last == UNAGREED) {
                queue.answered(calls);
                beginning.add(calls);
            } else {
                divide(calls, last);
            }
        } catch (IdsExhaustedException e) {
            eachAlone(calls, e);
        }
    }

    private static long sum(List<RowCall> calls) {
        return calls.stream().mapToLong(RowCall::count).sum();
    }

    /** Returns the last of the numbers, or that the sequence has not begun. */
    private long run(RowCall.Spot spot, long count) throws SQLException, InterruptedException {
        long last = call(spot, count);
        while (last == UNCOMPARED) {
            comparison.compare(spot.sequence(), false);
            last = call(spot, count);
        }
        return last;
    }

    private long call(RowCall.Spot spot, long count) throws SQLException, InterruptedException {
        try {
            return database.call(session -> answer(session, spot, count));
        } catch (SQLException e) {
            throw RowException.of(database.label(), e);
        }
    }

    private long answer(RowSession session, RowCall.Spot spot, long count) throws SQLException {
        String sequence = spot.sequence();
        // A read notices that the record is gone or has changed; numbers do so only if their key has no row.
        Optional<RowRecord> record =
                spot.isRead() ? session.record(sequence).filter(RowRecord::isFinal) : session.agreed(sequence);
        if (record.isEmpty()) {
            return UNAGREED;
        }
        RowComparison.Next next = comparison.next(sequence, record.get());
        if (next == RowComparison.Next.COMPARE) {
            return UNCOMPARED;
        }
        if (next == RowComparison.Next.GIVE_AND_COMPARE) {
            beginning.compare(sequence);
        }
        return spot.isRead() ? session.last(spot) : session.take(sequence, spot.key(), count, record.get());
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
                long last = run(call.spot(), call.count());
                if (last == UNAGREED) {
                    throw new SQLException(
                            "The record of a sequence was deleted while a number was taken: " + call.spot());
                }
                call.succeed(last);
            } catch (DistributedIdException e) {
                call.fail(e);
            } catch (SQLException e) {
                call.fail(RowWorker.unavailable(call.spot(), e));
            }
        }
        queue.answered(calls);
    }

    /** Starts nothing any more. Does not wait. */
    void stop() {
        worker.stop();
        database.stop();
    }

    void cut() {
        database.cut();
    }

    /** Gives the connection back. */
    void close() {
        stop();
        database.close();
        worker.interrupt();
    }

    /** Aborts the connection: a copy of this process may have the same one. */
    void abandon() {
        stop();
        database.abandon();
        worker.interrupt();
    }
}
