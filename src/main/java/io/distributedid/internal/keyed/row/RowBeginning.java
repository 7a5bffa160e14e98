package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where calls for sequences that have not begun wait until the {@link RowAgreement} of their servers is reached. It has
 * a thread and a {@link RowQueue} of its own: a server that does not answer delays such calls, but no other ones of the
 * servers that do. It asks servers for their records that did not answer before, too. Thread-safe.
 */
final class RowBeginning {

    private static final Duration LONGEST_COMPARISON = Duration.ofSeconds(10);

    private final RowAgreement agreement;

    private final RowComparison comparison;

    private final Consumer<RowCall> resume;

    private final RowQueue queue = new RowQueue();

    private final RowWorker worker = new RowWorker(queue, this::serve);

    /** @param resume gets calls whose sequence has begun */
    RowBeginning(RowAgreement agreement, RowComparison comparison, Consumer<RowCall> resume) {
        this.agreement = agreement;
        this.comparison = comparison;
        this.resume = resume;
    }

    /** Takes over calls for a sequence that has not begun. */
    void add(List<RowCall> calls) {
        calls.forEach(call -> orFail(call, queue::add));
        worker.keepRunning();
    }

    /** Lets the records of a sequence be compared. Does not wait. */
    void compare(String sequence) {
        RowCall.Spot spot = new RowCall.Spot(sequence, RowKey.RECORD, RowCall.Want.COMPARED);
        add(List.of(new RowCall(spot, 0, System.nanoTime(), LONGEST_COMPARISON)));
    }

    private void serve(List<RowCall> calls) throws SQLException, InterruptedException {
        RowCall.Spot spot = calls.get(0).spot();
        if (spot.want() == RowCall.Want.COMPARED) {
            comparison.compare(spot.sequence(), true);
            queue.answered(calls);
            calls.forEach(call -> call.succeed(0));
            return;
        }
        if (spot.isRead()) {
            long last = agreement.lastOfUnused(spot);
            queue.recovered();
            queue.answered(calls);
            calls.forEach(call -> call.succeed(last));
            return;
        }
        agreement.reach(spot.sequence());
        queue.recovered();
        queue.answered(calls);
        calls.forEach(call -> orFail(call, resume));
    }

    private static void orFail(RowCall call, Consumer<RowCall> work) {
        try {
            work.accept(call);
        } catch (DistributedIdException e) {
            call.fail(e);
        }
    }

    /** Refuses calls from now on. Does not wait. */
    void stop() {
        worker.stop();
        queue.end();
    }

    void close() {
        stop();
        queue.drop();
        worker.interrupt();
    }
}
