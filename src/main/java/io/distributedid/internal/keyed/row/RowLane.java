package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final ComparisonQueue comparing;

    private final RowQueue queue;

    private final RowWorker worker;

    /** Whether the server was reached by the current call. */
    private volatile boolean isOpen;

    RowLane(
            DedicatedConnection<RowSession> database,
            RowComparison comparison,
            RowBeginning beginning,
            ComparisonQueue comparing,
            RowQueue queue) {
        this.database = database;
        this.comparison = comparison;
        this.beginning = beginning;
        this.comparing = comparing;
        this.queue = queue;
        worker = new RowWorker(queue, this::serve);
    }

    void keepRunning() {
        worker.keepRunning();
    }

    private void serve(List<RowCall> calls) throws SQLException, InterruptedException {
        try {
            long last = call(calls.get(0).spot(), sum(calls));
            // Before the callers go on: the next call must not be told of an outage that is over.
            queue.recovered();
            if (last < 0) {
                queue.answered(calls);
                handOn(calls, last);
            } else {
                divide(calls, last);
            }
        } catch (IdsExhaustedException e) {
            eachAlone(calls, e);
        }
    }

    /** They come back once the sequence has begun, or its records are compared. */
    private void handOn(List<RowCall> calls, long why) {
        if (why == UNAGREED) {
            beginning.add(calls);
        } else {
            comparing.add(calls);
        }
    }

    private static long sum(List<RowCall> calls) {
        return calls.stream().mapToLong(RowCall::count).sum();
    }

    /** Returns the last of the numbers, or why there are none. */
    private long call(RowCall.Spot spot, long count) throws SQLException, InterruptedException {
        isOpen = false;
        KnownRecords before = comparison.known(spot.sequence());
        try {
            long last = comparison.call(database, spot.sequence(), session -> {
                isOpen = true;
                return answer(session, spot, count, before);
            });
            comparison.answered(database);
            return last;
        } catch (SQLException e) {
            if (!isOpen) {
                comparison.failed(database);
            }
            throw RowException.of(database.label(), e);
        }
    }

    private Optional<RowRecord> record(RowSession session, RowCall.Spot spot) throws SQLException {
        try {
            // A read notices that the record is gone or has changed; numbers do so only if their key has no row.
            return spot.isRead()
                    ? session.record(spot.sequence()).filter(RowRecord::isFinal)
                    : session.agreed(spot.sequence());
        } catch (RefusedServerException e) {
            throw comparison.refused(spot.sequence(), e);
        }
    }

    private long answer(RowSession session, RowCall.Spot spot, long count, KnownRecords before) throws SQLException {
        String sequence = spot.sequence();
        Optional<RowRecord> record = record(session, spot);
        if (record.isEmpty()) {
            return UNAGREED;
        }
        RowComparison.Next next = comparison.next(sequence, record.get(), before);
        if (next == RowComparison.Next.COMPARE) {
            return UNCOMPARED;
        }
        if (next == RowComparison.Next.GIVE_AND_COMPARE) {
            comparing.compareAgain(sequence);
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
        Map<RowCall, Long> left = new LinkedHashMap<>();
        for (RowCall call : calls) {
            try {
                if (calls.size() == 1) {
                    throw failure;
                }
                long last = call(call.spot(), call.count());
                if (last < 0) {
                    left.put(call, last);
                } else {
                    call.succeed(last);
                }
            } catch (DistributedIdException e) {
                call.fail(e);
            } catch (SQLException e) {
                call.fail(RowWorker.unavailable(call.spot(), e));
            }
        }
        queue.answered(calls);
        left.forEach((call, why) -> handOn(List.of(call), why));
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
