package io.distributedid.spi;

import io.distributedid.CheckResult;
import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A running source of ids for any number of sequences: holds the connections, workers and threads that they share. One
 * exists for each SessionFactory (or {@link io.distributedid.DistributedIds}) that uses it, and is closed with it.
 *
 * <p>Called on threads of the application, perhaps in the middle of a transaction. Connections on which ids are
 * reserved must not take part in that: they are to be borrowed and used on other threads.
 */
public interface Backend extends AutoCloseable {

    /**
     * Opens a sequence. Called once for each, at start where possible, and for one at a time: checks everything that
     * can be known then.
     *
     * @param sequence its name and settings
     * @return its ids; a {@link ShardedIdSource} if each carries a shard that its caller must say, a
     *     {@link ConnectionIdSource} if they are made by the database that stores the row
     * @throws io.distributedid.IdConfigurationException if a setting or a server would not give unique ids that fit
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    IdSource open(Sequence sequence);

    /**
     * Makes sure that ids from now on lie above ids that exist, on every server that answers now, and on the others
     * when they do. A backend whose ids hold the time looks at the time in the id: it waits for a clock that is a
     * little behind it, and refuses an id that lies too far ahead, since that was made with another layout or epoch, or
     * the clock is wrong.
     *
     * @param sequence opened before
     * @param existing ids that exist: the largest of each remainder, see {@link #step}, or to raise the largest of all;
     *     0 if there is none. Negative only for ids that hold the time
     * @param raise whether all counters that lie below are raised; else only the counter that gives such ids is looked
     *     at, and refused if it lies below
     * @throws io.distributedid.IdConfigurationException if that counter lies below and is not to be raised, or the id
     *     lies too far ahead of the clock
     * @throws io.distributedid.IdsExhaustedException if no ids are left above it
     * @throws io.distributedid.IdUnavailableException if the clock does not come to lie above it
     */
    default void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {}

    /**
     * Looks whether ids from now on lie above one that exists, by the settings and the clock alone: what
     * {@link #requireAbove} would find. Takes nothing.
     *
     * @param sequence need not be open
     * @param existing an id that exists; 0 if there is none
     * @return empty if its ids hold no time
     */
    default Optional<CheckResult> checkAbove(Sequence sequence, long existing) {
        return Optional.empty();
    }

    /**
     * The distance between two ids of one counter: more than 1 if several servers divide the numbers between them, each
     * with ids of one remainder.
     *
     * @param sequence opened before
     * @return at least 1
     */
    default long step(Sequence sequence) {
        return 1;
    }

    /**
     * How far the counters of a sequence may lie apart without being refused: ids that lie further below the largest
     * need not be looked at, see {@link #step}.
     *
     * @param sequence opened before
     * @return 2^63-1 if they may lie anywhere
     */
    default long maxDistance(Sequence sequence) {
        return Long.MAX_VALUE;
    }

    /**
     * Brings the servers of a counter into line when an operator says so: one that lost its counter, was replaced, or
     * is another than before. All servers must answer. Safe to repeat, and while clients run.
     *
     * @param sequence need not be open
     * @param above the largest id in use, if the servers may not know it; else 0
     * @return the last id of each server, by its label
     * @throws io.distributedid.IdConfigurationException if ids come from no counter, or a server must not be used
     * @throws io.distributedid.IdUnavailableException if a server does not answer
     */
    default Map<String, Long> repair(Sequence sequence, long above) {
        throw notCounted(sequence);
    }

    /**
     * Ends the use of a sequence's counter for good, since its ids come from another place now.
     *
     * @param sequence need not be open
     * @return the last id of each server, by its label
     * @throws io.distributedid.IdConfigurationException if ids come from no counter, or a server must not be used
     * @throws io.distributedid.IdUnavailableException if a server does not answer
     */
    default Map<String, Long> retire(Sequence sequence) {
        throw notCounted(sequence);
    }

    /**
     * Ends the move of the worker numbers of a sequence from one place to another.
     *
     * @param sequence need not be open
     * @param force whether processes that know the old place alone are cut off
     * @return what was done
     * @throws io.distributedid.IdConfigurationException if ids hold no leased worker number, or no move has begun
     * @throws io.distributedid.IdUnavailableException if a place does not answer
     */
    default List<CheckResult> finishMove(Sequence sequence, boolean force) {
        throw new IdConfigurationException("Only worker numbers that are leased can be moved: seq=" + sequence.name()
                + ", allowed: sequences whose backend is snowflake, with snowflake.lease.moving_from");
    }

    private static IdConfigurationException notCounted(Sequence sequence) {
        return new IdConfigurationException("Only a sequence that counts can be repaired or retired: seq="
                + sequence.name() + ", allowed: sequences of ticket servers or of a sequence table");
    }

    /**
     * What tells the id space of a sequence from all others: random, and the same for as long as its ids come from the
     * same place.
     *
     * @param sequence opened before, unless its ids have a {@link #time}
     * @return empty if ids come from no counter and hold no leased worker number, or the servers keep no record
     */
    default Optional<String> token(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * The name by which a database of entities remembers the {@link #token} of a sequence: with what tells its ids from
     * others of the sequence that rightly come from another place.
     *
     * @param sequence its name and settings
     * @return {@code photos}, or {@code photos/data_centre=1}
     */
    default String idSpace(Sequence sequence) {
        return sequence.name();
    }

    /**
     * Compares the {@link #token} of a sequence with the one that the database of its entities remembers; one that
     * remembers none is told. A database that can't remember it is warned of.
     *
     * @param sequence opened before
     * @param connection to that database
     * @param namespace the schema or catalog of its tables; empty for that of the connection
     * @param label names that database in messages
     * @throws SQLException if that database failed
     * @throws io.distributedid.IdConfigurationException if it remembers another token
     */
    default void remember(Sequence sequence, Connection connection, Optional<String> namespace, String label)
            throws SQLException {}

    /**
     * Writes the {@link #token} of a sequence into the database of its entities, which remembers it.
     *
     * @param sequence opened before
     * @param connection to that database, in autocommit mode
     * @param namespace the schema or catalog of its tables; empty for that of the connection
     * @throws SQLException if that database failed
     * @throws io.distributedid.IdConfigurationException if there is no token, or the database can't remember it
     */
    default void adopt(Sequence sequence, Connection connection, Optional<String> namespace) throws SQLException {
        throw notCounted(sequence);
    }

    /**
     * Records another layout of a sequence than the one that its ids have had, once nobody makes ids with that. Waits
     * until that is certain, and is repeated after a failure.
     *
     * @param sequence its name and the new settings; need not be open
     * @param allStopped whether an operator says that no process runs whose worker number has no end
     * @return the layout before, as text
     * @throws io.distributedid.IdConfigurationException if no layout is recorded, a process may still use the old one,
     *     or the new ids would not all be larger
     * @throws io.distributedid.IdUnavailableException if the record can't be read or written
     */
    default String changeLayout(Sequence sequence, boolean allStopped) {
        throw new IdConfigurationException("Only the layout of Snowflake ids can be changed: seq=" + sequence.name());
    }

    /**
     * Asks every server of a sequence how far its counter has come.
     *
     * @param sequence opened before
     * @return the last id of each server that answers, by a label without password; empty if ids come from no counter
     * @throws io.distributedid.IdUnavailableException if none answers
     */
    default Map<String, Long> counters(Sequence sequence) {
        return Map.of();
    }

    /**
     * Checks the settings of a sequence, and every server that it has, as they are now; reserves, leases and raises
     * nothing. For tools that an operator runs, beside applications that use the sequence.
     *
     * @param sequence its name and settings; need not be open
     * @return what was found, good and bad; empty if {@link #open} is the check
     * @throws io.distributedid.IdConfigurationException if a setting would not give unique ids that fit
     */
    default List<CheckResult> check(Sequence sequence) {
        return List.of();
    }

    /**
     * What is known of a sequence: its servers, its worker. Asks nobody, since it is called for every look at the
     * metrics. What a buffer knows is added by {@link BackendContext#buffer}'s owner.
     *
     * @param sequence opened before
     * @return empty if nothing is counted
     */
    default Optional<SequenceStatistics> statistics(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * Where the time stands in the ids of a sequence. A backend that knows it finds it, and takes ids apart, by the
     * settings alone: the sequence need not be open.
     *
     * @param sequence its name and settings
     * @return empty if its ids hold no time
     * @throws io.distributedid.IdConfigurationException if the settings don't say it
     */
    default Optional<IdTime> time(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * Where the logical shard stands in the ids of a sequence; found as {@link #time} is.
     *
     * @param sequence its name and settings
     * @return empty if its ids carry none
     * @throws io.distributedid.IdConfigurationException if the settings don't say it
     */
    default Optional<IdShard> shard(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * Takes an id apart.
     *
     * @param sequence opened before, unless its ids have a {@link #time}
     * @param id one of its ids
     * @return its fields
     */
    DecodedId decode(Sequence sequence, long id);

    /**
     * Ends a wait of {@link #open} for what others have, or of {@link #requireAbove} for the clock, with an error.
     * Called before {@link #close}, while a sequence may be being opened; {@link #open} is not called afterwards. A
     * backend that waits for answers only, each bounded in time, need do nothing.
     */
    default void stopWaiting() {}

    /**
     * Ends, with an error, all that waits for an answer, {@link #open}, {@link #close} and {@link #abandon} included:
     * cuts connections off without a word. Called by another thread if these take too long, since a server hangs. Must
     * not wait itself.
     *
     * <p>By default nothing is done: what is under way then goes on after the end, until its own time is over.
     */
    default void cut() {}

    /**
     * Ends the use of this backend in place of {@link #close}, because this process may be a copy, or be copied: hands
     * nothing back, writes nothing that takes back what was reserved, forces nobody else out. Stops threads, and closes
     * connections and files. Afterwards {@link BackendProvider#create} makes another one.
     *
     * <p>By default nothing is done, which gives no id twice, since nothing is asked of this object any more; but what
     * it has open stays open.
     */
    default void abandon() {}

    /** Stops threads, closes connections and gives back what is shared. Ids asked for afterwards are refused. */
    @Override
    void close();
}
