package io.distributedid.internal.jdbc;

import io.distributedid.internal.process.Pages;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What is logged of the outages that many users share, such as the sequences of one server: a warning in one line when
 * the first of them fails, and one line when the last of them has succeeded again. Every failure is logged with its
 * stack at DEBUG. Thread-safe.
 *
 * <p>A user that has not failed for 30 s is idle, and is not waited for. A failure within 30 s after an outage belongs
 * to it, for example on a connection that broke with the others and was not used meanwhile; only if a user still fails
 * after that time, there is another warning.
 */
public final class OutageLog {

    private static final long QUIET_NANOS = Duration.ofSeconds(30).toNanos();

    private final Logger log;

    private final LongSupplier nanoTime;

    /** When each of the users that fail has failed last. */
    private final IdentityHashMap<Object, Long> failing = new IdentityHashMap<>();

    /** So that a success costs nothing while none fails. */
    private volatile boolean isFailing;

    private boolean isWarned;

    private boolean isNoted;

    private long began;

    /** The end of the last outage that was warned of; long ago if there was none. */
    private long ended;

    /** {@code log}: that of the class whose outages they are. */
    public OutageLog(Logger log) {
        this(log, System::nanoTime);
    }

    /** As above, with another clock. */
    public OutageLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
        ended = nanoTime.getAsLong() - QUIET_NANOS;
    }

    /**
     * A user has failed.
     *
     * @param what begins the line; the reason follows
     * @param row ends the line, see {@link Pages#onCall(String)}
     */
    public void failed(Object user, String what, Throwable reason, String row) {
        if (warns(user, nanoTime.getAsLong())) {
            log.log(Level.WARNING, Pages.withOneRow(what + ". Reason: " + FailureText.of(reason) + row));
        }
        log.log(Level.DEBUG, what, reason);
    }

    /**
     * A user has succeeded, whether it had failed before or not.
     *
     * @param what is the line if the outage is over
     */
    public void succeeded(Object user, Supplier<String> what) {
        if (!isFailing) {
            return;
        }
        OptionalLong seconds = ended(user, nanoTime.getAsLong());
        if (seconds.isPresent()) {
            log.log(Level.INFO, what.get() + ", after " + seconds.getAsLong() + " s");
        }
    }

    /** Logs a warning that belongs to an outage, once until the next outage is over. */
    public void note(String warning) {
        if (isFirstNote()) {
            log.log(Level.WARNING, warning);
        }
    }

    private synchronized boolean warns(Object failed, long now) {
        if (failing.isEmpty()) {
            began = now;
        }
        failing.put(failed, now);
        isFailing = true;
        boolean isFirst = !isWarned && now - ended >= QUIET_NANOS;
        isWarned |= isFirst;
        return isFirst;
    }

    /** The seconds of an outage that was warned of, and that is over by this success. */
    private synchronized OptionalLong ended(Object succeeded, long now) {
        failing.remove(succeeded);
        if (failing.values().stream().anyMatch(last -> now - last < QUIET_NANOS)) {
            return OptionalLong.empty();
        }
        failing.clear();
        isFailing = false;
        isNoted = false;
        if (!isWarned) {
            return OptionalLong.empty();
        }
        isWarned = false;
        ended = now;
        return OptionalLong.of(Duration.ofNanos(now - began).toSeconds());
    }

    private synchronized boolean isFirstNote() {
        boolean isFirst = !isNoted;
        isNoted = true;
        return isFirst;
    }
}
