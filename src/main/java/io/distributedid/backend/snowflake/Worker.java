package io.distributedid.backend.snowflake;

import io.distributedid.WorkerStatistics;
import io.distributedid.internal.layout.IdLayout;
import java.time.Instant;
import java.util.Optional;

/**
 * One process's right to put a worker number into ids, bounded by a window of id time.
 *
 * <p>Id time is the time that stands in ids, in milliseconds since 1970: what a decoded id says, whatever the unit and
 * the epoch of its layout. A tick of a layout lies in a window if its first millisecond does, so that a tick never lies
 * in two windows of one number that don't overlap.
 *
 * <p>The protocol: a window that {@link #window} has returned is owned for ever; nobody else is ever given a time in it
 * with the same number, except above what {@link #release} says. A generator may therefore be as late as it wants
 * between looking at a window and composing an id in it. What is renewed in the background is published as a new
 * window, by one write to a volatile field. Used by any number of generators and threads at once.
 */
interface Worker {

    /**
     * A right, immutable.
     *
     * @param number goes into the worker field of ids
     * @param from the first id time that is owned
     * @param until the first id time after {@code from} that is not owned any more; {@link Long#MAX_VALUE} if all are
     */
    record Window(long number, long from, long until) {

        /** @throws IllegalArgumentException if the number is negative or the window ends before it begins */
        public Window {
            if (number < 0 || until < from) {
                throw new IllegalArgumentException(
                        "A window must have a number of 0 or more and not end before it begins: number=" + number
                                + " from=" + from + " until=" + until);
            }
        }
    }

    /**
     * The window to use now. Called all the time: it does nothing but read a field.
     *
     * @return a renewed window begins where it began and ends later; one with another number begins anywhere
     */
    Window window();

    /**
     * Whether nobody can have composed ids with the times of the first window before. If not, a predecessor that was
     * killed a moment ago may have run ahead of the clock, and generators begin above what it can have used.
     *
     * @return true, except for numbers about whose last holder nothing is known
     */
    default boolean isFresh() {
        return true;
    }

    /**
     * What is known of the right. Asks nobody, and counts as no use of it.
     *
     * @param now the local clock
     * @return of the window to use now
     */
    default WorkerStatistics statistics(Instant now) {
        Window current = window();
        Optional<Instant> end = current.until() == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(current.until()));
        return new WorkerStatistics(current.number(), now, end, Optional.empty(), Optional.empty());
    }

    /**
     * Makes sure that all who have numbers from the same place make the ids of a sequence alike: with another division
     * of the bits, or another epoch, different processes would make the same ids.
     *
     * @param sequence its name
     * @param layout of its ids
     * @throws io.distributedid.IdConfigurationException if others use another one
     * @throws io.distributedid.IdUnavailableException if the place does not answer
     */
    default void requireLayout(String sequence, IdLayout layout) {}

    /**
     * What tells the place that leases the number from all others.
     *
     * @return empty if it is not leased
     */
    default Optional<String> storeToken() {
        return Optional.empty();
    }

    /**
     * Called by a generator whose next id would lie past the end of its window: waits for a better one, for a bounded
     * time. It parks its thread, holds no monitor while it does, and an interrupt ends it.
     *
     * @param spent the window that was too short
     * @param time the id time that is wanted, at or after {@code spent.until()}
     * @return another window than {@code spent}; the generator looks whether it will do, and calls again if not
     * @throws io.distributedid.IdUnavailableException if there is none, saying why
     */
    Window await(Window spent, long time);

    /**
     * Gives back what is left. Called once, after the last generator that used this worker was closed; neither method
     * above is called afterwards.
     *
     * @param unused no id was composed with this or a later id time
     */
    void release(long unused);

    /**
     * Ends the use in place of {@link #release}, because another copy of this process may go on with it: nothing is
     * handed back, and nobody is asked. Threads, connections and files are closed.
     */
    default void abandon() {}
}
