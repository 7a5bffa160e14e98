package io.distributedid.internal.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.locks.ReentrantLock;
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

    private final ReentrantLock lock = new ReentrantLock();

    /** When each of the users that fail has failed last. */
    private final IdentityHashMap<Object, Long> failing = new IdentityHashMap<>();

    /** So that a success costs nothing while none fails. */
    private volatile boolean isFailing;

    private boolean isWarned;

    private boolean isNoted;

    private long began;

    /**
     * The end of the last outage that was warned of; longer ago than a failure could belong to it, if there was none.
     */
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
     */
    public void failed(Object user, String what, Throwable reason) {
        boolean warns;
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            if (failing.isEmpty()) {
                began = now;
            }
            failing.put(user, now);
            isFailing = true;
            warns = !isWarned && now - ended >= QUIET_NANOS;
            isWarned |= warns;
        } finally {
            lock.unlock();
        }
        if (warns) {
            log.log(Level.WARNING, what + ". Reason: " + FailureText.of(reason));
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
        long lasted;
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            failing.remove(user);
            if (failing.values().stream().anyMatch(last -> now - last < QUIET_NANOS)) {
                return;
            }
            failing.clear();
            isFailing = false;
            isNoted = false;
            if (!isWarned) {
                return;
            }
            isWarned = false;
            ended = now;
            lasted = now - began;
        } finally {
            lock.unlock();
        }
        log.log(Level.INFO, what.get() + ", after " + Duration.ofNanos(lasted).toSeconds() + " s");
    }

    /** Logs a warning that belongs to an outage, once until the next outage is over. */
    public void note(String warning) {
        lock.lock();
        try {
            if (isNoted) {
                return;
            }
            isNoted = true;
        } finally {
            lock.unlock();
        }
        log.log(Level.WARNING, warning);
    }
}
