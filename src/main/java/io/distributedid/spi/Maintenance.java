package io.distributedid.spi;

import io.distributedid.CheckResult;
import io.distributedid.CounterMove;
import io.distributedid.IdConfigurationException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the checks of a start, and operators, do with the place that ids come from: compare it with existing ids, raise,
 * repair and move it. A {@link Backend} implements what its ids need. Thread-safe.
 */
public interface Maintenance {

    /**
     * Returns what can be done with the places of a backend.
     *
     * @param backend any
     * @return the backend itself; if it implements none of this, the defaults
     */
    static Maintenance of(Backend backend) {
        return backend instanceof Maintenance maintained ? maintained : new Maintenance() {};
    }

    /**
     * Makes sure that new ids lie above existing ones: on each server that answers now, and on the others when they
     * answer. A backend whose ids hold the time compares the time in the id with the clock. It waits if the clock is a
     * little behind. It refuses an id that lies too far ahead: either that id has another layout or epoch, or the clock
     * is wrong.
     *
     * <p>With {@code raise}, all ids that are given to calls from now on lie above, whichever process gives them,
     * except ids that another process has reserved. So the backend refuses the call if another process gives the ids:
     * raise there.
     *
     * @param sequence opened before
     * @param existing the largest existing id of each remainder, see {@link #step}; to raise, the largest of all; 0 if
     *     there is none. Negative only for ids that hold the time
     * @param raise whether to raise all counters that lie below. If false, only the counter that gives ids of the same
     *     remainder is compared, and refused if it lies below
     * @throws io.distributedid.IdConfigurationException if {@code raise} is false and that counter lies below, or the
     *     id lies too far ahead of the clock
     * @throws io.distributedid.IdsExhaustedException if no ids are left above the id
     * @throws io.distributedid.IdStandbyException if {@code raise} is true and another process gives the ids
     * @throws io.distributedid.IdUnavailableException if the clock does not pass the id in time
     */
    default void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        if (raise) {
            throw new IdConfigurationException("Only a sequence with a counter can be raised: seq=" + sequence.name()
                    + ", allowed: sequences of ticket servers, of a sequence table or of Redis");
        }
    }

    /**
     * Checks whether new ids lie above an existing one, as {@link #requireAbove} does, but by the settings and the
     * clock alone. Reserves nothing.
     *
     * @param sequence need not be open
     * @param existing an existing id; 0 if there is none
     * @return empty if its ids hold no time
     */
    default Optional<CheckResult> checkAbove(Sequence sequence, long existing) {
        return Optional.empty();
    }

    /**
     * Does for several sequences, in few trips to each server, what {@link #requireAbove} with {@code raise} would do
     * for each, so that these calls need no trip. Raises nothing unless all servers answer. Does nothing by default.
     * Leaves every failure to these calls.
     *
     * @param existing the largest existing ids of each sequence, not empty
     */
    default void prepareRaise(Map<Sequence, ? extends Collection<Long>> existing) {}

    /**
     * Returns the distance between two ids of one counter. It is more than 1 if several servers divide the ids, each
     * with one remainder.
     *
     * @param sequence opened before
     * @return at least 1
     */
    default long step(Sequence sequence) {
        return 1;
    }

    /**
     * Returns how far the counters of a sequence may lie apart before they are refused. So ids further below the
     * largest need not be compared, see {@link #step}.
     *
     * @param sequence opened before
     * @return 2^63-1 if there is no limit
     */
    default long maxDistance(Sequence sequence) {
        return Long.MAX_VALUE;
    }

    /**
     * Asks every server of a sequence for its counter.
     *
     * @param sequence opened before
     * @return the last id of each server that answers, by a label without password; empty if ids come from no counter
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    default Map<String, Long> counters(Sequence sequence) {
        return Map.of();
    }

    /**
     * Returns the token of the id space of a sequence: random, unique, and the same for as long as the ids come from
     * the same place.
     *
     * @param sequence opened before, unless its ids have a {@link ComposedIds#time}
     * @return empty if ids come from no counter and hold no leased worker number, or the servers keep no record
     */
    default Optional<String> token(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * Returns the name under which a database of entities remembers the {@link #token} of a sequence. If a sequence may
     * have several places at once, the name includes the fields that make their ids distinct.
     *
     * @param sequence its name and settings
     * @return {@code photos}, or {@code photos/data_centre=1}
     */
    default String idSpace(Sequence sequence) {
        return sequence.name();
    }

    /**
     * For an operator: moves a counter, with all others of its table, to another place, or repairs or ends it. All
     * servers must answer. Safe to repeat, and while clients run.
     *
     * @param from the sequence with the settings of each place that its ids come from, at least one
     * @param to the sequence with the settings of the place that its ids come from afterwards; if they end, one of
     *     {@code from}
     * @param move what the operator says, and what to call
     * @return an id at or above all that were given: new ones lie above; 0 from a dry run, or if the place has no
     *     counter
     * @throws io.distributedid.IdConfigurationException if the sequence can't be moved, or a server must not be used
     * @throws io.distributedid.IdUnavailableException if a server does not answer
     */
    default long move(List<Sequence> from, Sequence to, CounterMove move) {
        throw new IdConfigurationException("Only a sequence with a counter can be repaired or moved: seq=" + to.name()
                + ", allowed: sequences of ticket servers, of a sequence table or of Redis");
    }

    /**
     * Begins the store in which worker numbers of a sequence are leased, or gives it the windows of these settings. The
     * caller repeats the call after a failure.
     *
     * @param sequence its name and settings; must not be open
     * @return from when on numbers are leased; empty if at once. The store may have lost leases that it does not know
     * @throws io.distributedid.IdConfigurationException if a number is leased, or there is no such store
     * @throws io.distributedid.IdUnavailableException if the store can't be read or written
     */
    default Optional<Instant> init(Sequence sequence) {
        throw new IdConfigurationException("Only a store of leases can be initialized: seq=" + sequence.name()
                + ", allowed: sequences whose worker number is leased");
    }

    /**
     * Records a new layout of a sequence while no process makes ids. If new ids would not be larger yet, the call waits
     * for the clock. The caller repeats the call after a failure.
     *
     * @param sequence its name and the new settings; must not be open
     * @param allStopped whether an operator states that all processes with a single-use number are stopped
     * @return the previous layout, as text
     * @throws io.distributedid.IdConfigurationException if no layout is recorded, a number is leased, or the new ids
     *     would not all be larger
     * @throws io.distributedid.IdUnavailableException if the store can't be read or written
     */
    default String changeLayout(Sequence sequence, boolean allStopped) {
        throw new IdConfigurationException("Only the layout of Snowflake ids can be changed: seq=" + sequence.name());
    }
}
