package io.distributedid.internal.keyed.row;

import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where calls for sequences that have not begun wait until the {@link RowAgreement} of their servers is reached. It has
 * a thread and a {@link RowQueue} of its own: a server that does not answer delays such calls, but no other ones of the
 * servers that do. Thread-safe.
 */
final class RowBeginning {

    private final RowAgreement agreement;

    private final Consumer<RowCall> resume;

    private final RowQueue queue = new RowQueue();

    private final RowWorker worker = new RowWorker(queue, this::serve);

    /** @param resume gets calls whose sequence has begun */
    RowBeginning(RowAgreement agreement, Consumer<RowCall> resume) {
        this.agreement = agreement;
        this.resume = resume;
    }

    /** Takes over calls for a sequence that has not begun. */
    void add(List<RowCall> calls) {
        calls.forEach(call -> call.orFail(queue::add));
        worker.keepRunning();
    }

    private void serve(List<RowCall> calls) throws SQLException, InterruptedException {
        RowCall.Spot spot = calls.get(0).spot();
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
        calls.forEach(call -> call.orFail(resume));
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
