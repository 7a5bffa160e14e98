package io.distributedid.internal.block;

import io.distributedid.BlockStatistics;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the fetches of a sequence, the ids they reserved, and the failures in a row. Decides the pause before a retry,
 * the exceptions of callers, and what is logged. Guarded by the lock of its {@link BlockBuffer}.
 */
final class FetchHistory {

    private static final long FIRST_PAUSE_MILLIS = 20;

    private static final long LAST_PAUSE_MILLIS = 1_000;

    private final Sequence sequence;

    private final OutageLog outages;

    private long reserved;

    private long dropped;

    private long overdue;

    private long fetched;

    private long failed;

    private Duration fetchTime = Duration.ZERO;

    /** The durations of the last two successful fetches; 0 if there was none. */
    private long lastNanos;

    private long nanosBefore;

    private int failedInARow;

    /** Of the last fetch; null if it succeeded. */
    private @Nullable Throwable lastFailure;

    /** The number of fetches that failed finally. */
    private long refusals;

    /** {@code outages}: shared by sequences with the same servers. */
    FetchHistory(Sequence sequence, OutageLog outages) {
        this.sequence = sequence;
        this.outages = outages;
    }

    /** The log of the outages of some servers. */
    static OutageLog outages(LongSupplier nanoTime) {
        Logger log = System.getLogger(FetchHistory.class.getName());
        return new OutageLog(log, nanoTime);
    }

    void add(Throwable failure) {
        failed++;
        lastFailure = failure;
        if (isFinal(failure)) {
            refusals++;
            failedInARow = 0;
        } else {
            failedInARow++;
            outages.failed(
                    this,
                    "No ids can be reserved, retrying. First noticed by " + sequence,
                    failure,
                    Pages.onCall("no-server"));
        }
    }

    /** A block of {@code ids} arrived in this {@code time}. */
    void add(long ids, Duration time) {
        fetched++;
        reserved += ids;
        fetchTime = fetchTime.plus(time);
        nanosBefore = lastNanos;
        lastNanos = time.toNanos();
        outages.succeeded(this, () -> "Ids are reserved again, last noticed by " + sequence);
        failedInARow = 0;
        lastFailure = null;
    }

    /** The shorter of the last two fetches, so that one slow answer does not count; 0 before the first. */
    long trip() {
        return nanosBefore == 0 ? lastNanos : Math.min(lastNanos, nanosBefore);
    }

    /** Adds ids that were reserved and will never be handed out. */
    void addDropped(long ids) {
        dropped += ids;
    }

    /** Counts a block that is used beyond its age because no server answers. */
    void addOverdue() {
        overdue++;
        outages.note("Ids older than block.max_age are used while no server answers. First noticed by " + sequence);
    }

    boolean hasFailed() {
        return lastFailure != null;
    }

    /** @param reserve how many reserved ids are left */
    BlockStatistics statistics(long reserve) {
        return new BlockStatistics(
                reserved,
                reserve,
                dropped,
                overdue,
                fetched,
                failed,
                fetchTime,
                Optional.ofNullable(lastFailure).map(FailureText::of));
    }

    /** Whether the last fetch failed and may be retried: no server answers. */
    boolean isOutage() {
        return failedInARow > 0;
    }

    /** The pause before the next retry: 20 ms, doubled after each failure, up to one second. */
    Duration pause() {
        return Duration.ofMillis(Math.min(LAST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failedInARow - 1, 10)));
    }

    /** The number of fetches that failed finally until now. */
    long refusals() {
        return refusals;
    }

    /**
     * The final failure of the last fetch, for a caller that came before it ended. A later caller fetches again, since
     * the reason may be repaired.
     *
     * @param before {@link #refusals} when the caller came
     * @return null if the last fetch did not fail finally, or ended before the caller came
     */
    @Nullable
    DistributedIdException refusalSince(long before) {
        return refusals > before && lastFailure instanceof DistributedIdException failure && isFinal(failure)
                ? failure
                : null;
    }

    static boolean isFinal(Throwable failure) {
        return failure instanceof DistributedIdException && !(failure instanceof IdUnavailableException);
    }

    /** The exception of a caller if no thread could be started. */
    IdUnavailableException unstarted() {
        Throwable reason = Objects.requireNonNull(lastFailure);
        return new IdUnavailableException("No id can be reserved: " + sequence + ": " + FailureText.of(reason), reason);
    }

    /**
     * The exception of a caller that waits no longer.
     *
     * @param timeout {@code block.timeout}, counted from the start of an outage
     * @param waited how many nanoseconds this caller has waited
     * @param outage how many nanoseconds the outage has lasted
     */
    IdUnavailableException timedOut(Duration timeout, long waited, long outage) {
        String reason = reason();
        String text = waited >= timeout.toNanos()
                ? "No id within " + timeout.toMillis() + " ms: " + sequence + ": " + reason
                : "No id could be reserved for " + TimeUnit.NANOSECONDS.toMillis(outage)
                        + " ms, so callers no longer wait (distributedid.block.timeout="
                        + timeout.toMillis() + "ms): " + sequence + ": "
                        + reason
                        + ". Retrying in the background";
        String message = Pages.withOneRow(text + Pages.onCall("no-server"));
        return lastFailure == null
                ? new IdUnavailableException(message)
                : new IdUnavailableException(message, lastFailure);
    }

    /** A fetch is under way. If the one before failed finally, it is no retry. */
    private String reason() {
        if (lastFailure == null) {
            return "the server has not answered";
        }
        String text = FailureText.of(lastFailure);
        return isFinal(lastFailure) ? "the server has not answered; before that, it refused: " + text : text;
    }
}
