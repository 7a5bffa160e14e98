package io.distributedid.internal.keyed.row;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Where calls wait until the records of their sequence are compared. Its thread asks the servers for their records, one
 * after the other: a server that hangs delays such calls, but no other ones. Thread-safe.
 */
final class ComparisonQueue {

    private static final Duration WHEN_ITS_TURN_COMES = Duration.ofDays(1);

    private final RowComparison comparison;

    private final Consumer<RowCall> resume;

    private final RowQueue queue = new RowQueue();

    private final RowWorker worker = new RowWorker(queue, this::serve);

    /** The sequences that are compared again without a call that waits. */
    private final Set<String> again = ConcurrentHashMap.newKeySet();

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

    /** Does not wait. */
    void compareAgain(String sequence) {
        if (again.add(sequence)) {
            RowCall.Spot spot = new RowCall.Spot(sequence, RowKey.RECORD, RowCall.Want.COMPARED);
            add(List.of(new RowCall(spot, 0, System.nanoTime(), WHEN_ITS_TURN_COMES)));
        }
    }

    private void serve(List<RowCall> calls) throws InterruptedException {
        RowCall.Spot spot = calls.get(0).spot();
        boolean isAgain = spot.want() == RowCall.Want.COMPARED;
        if (isAgain) {
            again.remove(spot.sequence());
        }
        comparison.compare(spot.sequence());
        queue.answered(calls);
        calls.forEach(call -> {
            if (isAgain) {
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
