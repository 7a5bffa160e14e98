package io.distributedid.soak.report;

import io.distributedid.soak.application.ApplicationProcess;
import io.distributedid.soak.application.Board.Field;
import io.distributedid.soak.ledger.IdAudit;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Missing ids, by their cause.
 *
 * @param raises how often a counter was raised far above what is known
 * @param raisedBy how many ids that left out
 * @param missing how many others are missing between the smallest and the largest of each counter
 * @param tooOld of these: blocks that were dropped since they were too old, or since their process was told that it is
 *     a copy
 * @param killed of these: reserves of processes that were killed, as they were a moment before
 * @param stopped reserves of processes that stopped in good order; tickets and Redis take back what they can
 */
public record Gaps(long raises, long raisedBy, long missing, long tooOld, long killed, long stopped) {

    /** None. */
    public static final Gaps NONE = new Gaps(0, 0, 0, 0, 0, 0);

    /** What the processes of a round knew of their reserves. */
    public static Gaps of(IdAudit ids, List<ApplicationProcess> processes) {
        return new Gaps(
                ids.raises(),
                ids.raisedBy(),
                ids.missing(),
                sum(processes, process -> process.board().get(Field.DROPPED)),
                sum(processes, process -> process.wasKilled() ? process.board().get(Field.RESERVE) : 0),
                sum(
                        processes,
                        process -> process.wasKilled() ? 0 : process.board().get(Field.RESERVE)));
    }

    private static long sum(List<ApplicationProcess> processes, ToLongFunction<ApplicationProcess> number) {
        return processes.stream().mapToLong(number).sum();
    }

    /** The sum of both. */
    public Gaps plus(Gaps other) {
        return new Gaps(
                raises + other.raises,
                raisedBy + other.raisedBy,
                missing + other.missing,
                tooOld + other.tooOld,
                killed + other.killed,
                stopped + other.stopped);
    }

    /** Missing for another cause: an answer that was lost, or a server that was tried. */
    public long other() {
        return Math.max(0, missing - tooOld - killed - stopped);
    }
}
