package io.distributedid.backend.snowflake;

import io.distributedid.TenureStatistics;
import io.distributedid.WorkerStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The right of one process to make ids: to put a worker number into them, or to be the one that makes them in strict
 * order. It is bounded by a window of id time.
 *
 * <p>Id time is the time in ids, in milliseconds since 1970, as a decoded id shows it, whatever the unit and epoch of
 * the layout. A tick lies in a window if its first millisecond does. So a tick never lies in two windows of one number
 * that do not overlap.
 *
 * <p>The protocol: a window that {@link #window} has returned is owned for ever. No other process is ever granted a
 * time in it with the same number, except above what this one handed back at its end. So any time may pass after a
 * generator reads a window and before it composes an id in it. The background thread publishes a renewed window by one
 * volatile write. Any number of generators and threads may use a worker at once.
 */
interface Worker {

    /**
     * Times that this process owns with one worker number.
     *
     * @param number the value of the worker field
     * @param from the first id time that is owned
     * @param until the first id time that is not owned any more; {@link Long#MAX_VALUE} without an end
     */
    record Window(long number, long from, long until) {

        public Window {
            if (number < 0 || until < from) {
                throw new IllegalArgumentException(
                        "A window must have a number of 0 or more and not end before it begins: number=" + number
                                + " from=" + from + " until=" + until);
            }
        }
    }

    /**
     * The window to use now. Called for each range of ids, so it only reads a field. A renewed window starts where it
     * started before, and ends later. A window with another number may start anywhere.
     */
    Window window();

    /**
     * When this process took the number, by the clock, if another process may have used it before without a record;
     * empty if every former use is recorded, so that windows lie above all of it.
     *
     * <p>A fixed number has no such record. This JVM may remember an earlier use than the last one. A row or a state
     * file knows only those who had it, and had the same values of all fields of the layout: not a process with other
     * settings. So generators start above all ids that a process killed a moment ago can have made by the same clock,
     * if that was not set back since: {@link Pace#MOST_AHEAD_OF_FIXED} ahead of the clock, and above what is recorded.
     * No margin covers a clock that was set back, even if callers only waited for it, nor that of another machine.
     */
    default OptionalLong unrecordedUse() {
        return OptionalLong.empty();
    }

    /** Whether ids are in strict order, so that each is checked by {@link #lasts} once it was taken. */
    default boolean isStrict() {
        return false;
    }

    /** Whether an id that was taken from the window may be returned now. */
    default boolean lasts(Window window) {
        return true;
    }

    /** Statistics of the current window; empty in strict order. Asks no store. */
    default Optional<WorkerStatistics> statistics(Instant now) {
        Window current = window();
        Optional<Instant> end = current.until() == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(current.until()));
        return Optional.of(new WorkerStatistics(current.number(), now, end, Optional.empty(), Optional.empty()));
    }

    /** Which process makes the ids; empty unless they are in strict order. Asks no store. */
    default Optional<TenureStatistics> tenure() {
        return Optional.empty();
    }

    /** How long a call may wait for other windows. */
    default Duration patience() {
        return Duration.ZERO;
    }

    /**
     * Waits for another window, for a bounded time. A generator calls it if its next id would lie past the end of its
     * window. The caller parks without a monitor; an interrupt ends the wait.
     *
     * @param spent the window that ends too early, or does not last
     * @param limit how long to wait at most
     * @return another window than {@code spent}; the generator checks it, and calls again if it ends too early too
     * @throws io.distributedid.IdStandbyException if another process makes the ids
     * @throws io.distributedid.IdUnavailableException if there is none; the message has the cause
     */
    Window await(Window spent, Duration limit);
}
