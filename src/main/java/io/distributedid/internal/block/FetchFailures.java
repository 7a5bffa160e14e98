package io.distributedid.internal.block;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIdSettings;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The failures of a sequence's fetches in a row: how long to pause, what to tell callers, what to log. Not thread-safe. */
public final class FetchFailures {

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
        if (isFinal(failure)) {
            inARow = 0;
        } else {
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

    public static String said(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    /** What the last fetch said; null if it succeeded. */
    @Nullable
    public String said() {
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

    /** What a caller is told if not even a thread could be started. */
    IdUnavailableException unstarted() {
        Throwable reason = Objects.requireNonNull(last);
        return new IdUnavailableException("No id can be reserved: " + sequence + ": " + said(reason), reason);
    }

    /**
     * What a caller is told who does not wait any longer.
     *
     * @param timeout how long callers wait, from the beginning of an outage
     * @param waited how many nanoseconds this one did
     * @param lasts for how many no fetch has succeeded
     */
    IdUnavailableException timedOut(Duration timeout, long waited, long lasts) {
        String reason = last == null ? "the server has not answered" : said(last);
        String message = waited >= timeout.toNanos()
                ? "No id within " + timeout.toMillis() + " ms: " + sequence + ": " + reason
                : "No id could be reserved for " + TimeUnit.NANOSECONDS.toMillis(lasts)
                        + " ms, so that callers do not wait any more ("
                        + DistributedIdSettings.BLOCK_TIMEOUT + "=" + timeout.toMillis() + "ms): " + sequence + ": "
                        + reason
                        + ". It is tried again in the background";
        return last == null ? new IdUnavailableException(message) : new IdUnavailableException(message, last);
    }
}
