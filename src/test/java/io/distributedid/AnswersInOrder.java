package io.distributedid;

import java.util.HashSet;
import java.util.Set;

/**
 * What callers were given: no id twice, and each greater than every id of an answer that arrived before the call began.
 * Each method is one atomic step.
 */
public final class AnswersInOrder {

    private final Set<Long> ids = new HashSet<>();

    private long largest;

    private long given;

    /** A call begins. Returns the largest id of all answers by now. */
    public synchronized long begin() {
        return largest;
    }

    /**
     * The call that began has its answer.
     *
     * @param begun the result of {@link #begin}
     * @param count consecutive ids
     */
    public synchronized void end(long begun, long first, long count) {
        if (first <= begun) {
            throw new AssertionError(first + " is not above " + begun + ", which was given before the call began");
        }
        for (long id = first; id < first + count; id++) {
            add(id);
        }
        given += count;
        largest = Math.max(largest, first + count - 1);
    }

    private void add(long id) {
        if (!ids.add(id)) {
            throw new AssertionError(id + " was given twice");
        }
    }

    /** From now on all calls that begin must be given larger ids. */
    public synchronized void raise(long id) {
        largest = Math.max(largest, id);
    }

    /** How many ids the answers had. */
    public synchronized long given() {
        return given;
    }
}
