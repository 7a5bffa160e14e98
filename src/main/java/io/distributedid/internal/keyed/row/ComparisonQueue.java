package io.distributedid.internal.keyed.row;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where calls wait until the records of their sequence are compared. Its thread asks the servers for their records, one
 * after the other: a server that hangs delays such calls, but no other ones. All calls for one sequence that wait at
 * the same time share a question. Thread-safe.
 */
final class ComparisonQueue {

    private static final Duration WHEN_ITS_TURN_COMES = Duration.ofDays(1);

    private final RowComparison comparison;

    private final Consumer<RowCall> resume;

    private final RowQueue queue = new RowQueue(spot -> question(spot.sequence()), System::nanoTime);

    private final RowWorker worker = new RowWorker(queue, this::serve);

    /** @param resume gets calls whose records are compared */
    ComparisonQueue(RowComparison comparison, Consumer<RowCall> resume) {
        this.comparison = comparison;
        this.resume = resume;
    }

    /** Takes over calls. */
    void add(List<RowCall> calls) {
        calls.forEach(call -> call.orFail(queue::add));
        worker.keepRunning();
    }

    /** Asks without a call that waits. Does not wait. */
    void compareAgain(String sequence) {
        add(List.of(new RowCall(question(sequence), 0, System.nanoTime(), WHEN_ITS_TURN_COMES)));
    }

    private static RowCall.Spot question(String sequence) {
        return new RowCall.Spot(sequence, RowKey.RECORD, RowCall.Want.COMPARED);
    }

    private static boolean isQuestion(RowCall call) {
        return call.spot().want() == RowCall.Want.COMPARED;
    }

    private void serve(List<RowCall> calls) throws InterruptedException {
        String sequence = calls.get(0).spot().sequence();
        // Others may have waited for the same answer just before.
        if (calls.stream().anyMatch(ComparisonQueue::isQuestion) || comparison.isAwaited(sequence)) {
            comparison.compare(sequence);
        }
        queue.answered(calls);
        calls.forEach(call -> {
            if (isQuestion(call)) {
                call.succeed(0);
            } else {
                call.orFail(resume);
            }
        });
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
