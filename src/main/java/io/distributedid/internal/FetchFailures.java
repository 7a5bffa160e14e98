package io.distributedid.internal;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The failures of a sequence's fetches in a row: how long to pause, what to tell callers, what to log. Not thread-safe. */
final class FetchFailures {

    private static final Logger LOG = System.getLogger(FetchFailures.class.getName());

    private static final long FIRST_PAUSE_MILLIS = 20;

    private static final long LAST_PAUSE_MILLIS = 1_000;

    private final Sequence sequence;

    private int inARow;

    private @Nullable Throwable last;

    /** What the last fetch said, also if a caller was told already. */
    private @Nullable String said;

    FetchFailures(Sequence sequence) {
        this.sequence = sequence;
    }

    void add(Throwable failure) {
        last = failure;
        said = said(failure);
        if (!isFinal(failure)) {
            inARow++;
            if (inARow == 1) {
                LOG.log(Level.WARNING, "No ids could be reserved, trying again: " + sequence, failure);
            }
        }
    }

    void end() {
        if (inARow > 0) {
            LOG.log(Level.INFO, "Ids are reserved again after {0} failures: {1}", inARow, sequence);
        }
        inARow = 0;
        last = null;
        said = null;
    }

    static String said(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    /** What the last fetch said; null if it succeeded. */
    @Nullable
    String said() {
        return said;
    }

    /** Whether no server answers, as far as is known. */
    boolean lasting() {
        return inARow > 0;
    }

    /** From 20 ms, doubled from one failure to the next, to a second. */
    Duration pause() {
        return Duration.ofMillis(Math.min(LAST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(inARow - 1, 10)));
    }

    /** Takes a failure for a caller to throw, if trying again would end in the same one. */
    @Nullable
    DistributedIdException takeFinal() {
        if (last instanceof DistributedIdException failure && isFinal(failure)) {
            last = null;
            return failure;
        }
        return null;
    }

    static boolean isFinal(Throwable failure) {
        return failure instanceof DistributedIdException && !(failure instanceof IdUnavailableException);
    }

    IdUnavailableException timedOut(Duration timeout) {
        String message = "No id within " + timeout.toMillis() + " ms: " + sequence + ": "
                + (last == null ? "the server has not answered" : last.getMessage());
        return last == null ? new IdUnavailableException(message) : new IdUnavailableException(message, last);
    }
}
