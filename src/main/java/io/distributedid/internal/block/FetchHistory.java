package io.distributedid.internal.block;

import io.distributedid.BlockStatistics;
import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIdSettings;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of a sequence: what they have reserved, and how many have failed in a row. Decides how long to pause,
 * what to tell callers and what to log. Guarded by the lock of its {@link BlockBuffer}.
 */
public final class FetchHistory {

    private static final Logger LOG = System.getLogger(FetchHistory.class.getName());

    private static final long FIRST_PAUSE_MILLIS = 20;

    private static final long LAST_PAUSE_MILLIS = 1_000;

    private final Sequence sequence;

    private long reserved;

    private long dropped;

    private long overdue;

    private long fetched;

    private long failed;

    private long fetchNanos;

    private int failedInARow;

    private @Nullable Throwable lastFailure;

    /** The message of the last fetch if it failed, also if a caller was told already. */
    private @Nullable String message;

    FetchHistory(Sequence sequence) {
        this.sequence = sequence;
    }

    void add(Throwable failure) {
        failed++;
        lastFailure = failure;
        message = messageOf(failure);
        if (isFinal(failure)) {
            failedInARow = 0;
        } else {
            failedInARow++;
            if (failedInARow == 1) {
                LOG.log(Level.WARNING, "No ids could be reserved, trying again: " + sequence, failure);
            }
        }
    }

    /** A fetch has succeeded. */
    void add(ReservedIds ids) {
        fetched++;
        reserved += ids.count();
        if (failedInARow > 0) {
            LOG.log(Level.INFO, "Ids are reserved again after {0} failures: {1}", failedInARow, sequence);
        }
        failedInARow = 0;
        lastFailure = null;
        message = null;
    }

    /** The last fetch took so long. */
    void addTime(long nanos) {
        fetchNanos += nanos;
    }

    /** So many ids were reserved and will not be given. */
    void addDropped(long ids) {
        dropped += ids;
    }

    /** A block is used past its age, since no server answers. */
    void addOverdue() {
        overdue++;
        if (overdue == 1) {
            LOG.log(Level.WARNING, "Ids older than block.max_age are used while no server answers: {0}", sequence);
        }
    }

    public static String messageOf(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    /** Whether the last fetch failed. */
    boolean hasFailed() {
        return message != null;
    }

    /** @param reserve how many ids are left */
    BlockStatistics statistics(long reserve) {
        return new BlockStatistics(
                reserved,
                reserve,
                dropped,
                overdue,
                fetched,
                failed,
                Duration.ofNanos(fetchNanos),
                Optional.ofNullable(message));
    }

    /** Whether no server answers, as far as is known. */
    boolean lasting() {
        return failedInARow > 0;
    }

    /** From 20 ms, doubled from one failure to the next, to a second. */
    Duration pause() {
        return Duration.ofMillis(Math.min(LAST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failedInARow - 1, 10)));
    }

    /** Takes a failure for a caller to throw, if trying again would end in the same one. */
    @Nullable
    DistributedIdException takeFinal() {
        if (lastFailure instanceof DistributedIdException failure && isFinal(failure)) {
            lastFailure = null;
            return failure;
        }
        return null;
    }

    static boolean isFinal(Throwable failure) {
        return failure instanceof DistributedIdException && !(failure instanceof IdUnavailableException);
    }

    /** What a caller is told if not even a thread could be started. */
    IdUnavailableException unstarted() {
        Throwable reason = Objects.requireNonNull(lastFailure);
        return new IdUnavailableException("No id can be reserved: " + sequence + ": " + messageOf(reason), reason);
    }

    /**
     * What a caller is told who does not wait any longer.
     *
     * @param timeout how long callers wait, from the beginning of an outage
     * @param waited how many nanoseconds this one did
     * @param lasts for how many no fetch has succeeded
     */
    IdUnavailableException timedOut(Duration timeout, long waited, long lasts) {
        String reason = lastFailure == null ? "the server has not answered" : messageOf(lastFailure);
        String text = waited >= timeout.toNanos()
                ? "No id within " + timeout.toMillis() + " ms: " + sequence + ": " + reason
                : "No id could be reserved for " + TimeUnit.NANOSECONDS.toMillis(lasts)
                        + " ms, so that callers do not wait any more ("
                        + DistributedIdSettings.BLOCK_TIMEOUT + "=" + timeout.toMillis() + "ms): " + sequence + ": "
                        + reason
                        + ". It is tried again in the background";
        return lastFailure == null ? new IdUnavailableException(text) : new IdUnavailableException(text, lastFailure);
    }
}
