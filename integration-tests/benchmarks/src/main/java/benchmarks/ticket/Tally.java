package benchmarks.ticket;

/** A contender's turns with one number of threads, warm-ups included. */
final class Tally {

    private long ids;

    private long deadlocks;

    private long deadlocksTold;

    private long statements;

    /** Adds a turn. */
    void add(Callers.Taken taken, ServerCounts before, ServerCounts after) {
        ids += taken.ids().size();
        deadlocksTold += taken.deadlocks();
        deadlocks += after.deadlocks() - before.deadlocks();
        statements += after.statements() - before.statements();
    }

    long ids() {
        return ids;
    }

    /** As the server counts them. */
    long deadlocks() {
        return deadlocks;
    }

    /** Those that callers were told of. */
    long deadlocksTold() {
        return deadlocksTold;
    }

    double statementsPerId() {
        return (double) statements / ids;
    }
}
