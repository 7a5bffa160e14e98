package io.distributedid.spi;

import io.distributedid.CheckResult;
import io.distributedid.DecodedId;
import io.distributedid.SequenceStatistics;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A running source of ids for any number of sequences. Holds the connections, workers and threads that they share. Each
 * SessionFactory (or {@link io.distributedid.DistributedIds}) has its own, and closes it.
 *
 * <p>The methods are called on threads of the application, perhaps in a transaction. Connections on which ids are
 * reserved must not join that transaction: borrow and use them on other threads.
 *
 * <p>A backend whose ids can be compared with existing ones, raised, or moved is also a {@link Maintenance}; a backend
 * whose ids hold the time or a shard is also {@link ComposedIds}.
 */
public interface Backend extends AutoCloseable {

    /**
     * Opens a sequence, after all checks that are possible at this time. Called once for each sequence, at start if
     * possible, and for one sequence at a time.
     *
     * @param sequence its name and settings
     * @return its ids; a {@link ShardedIdSource} if the caller must give the shard of each id, a
     *     {@link ConnectionIdSource} if the ids are made by the database that stores the row
     * @throws io.distributedid.IdConfigurationException if, with a setting or a server, ids would not be unique or
     *     would not fit
     * @throws io.distributedid.IdUnavailableException if no server answers
     */
    IdSource open(Sequence sequence);

    /**
     * Does for several sequences, in few trips to each server, what {@link #open} and {@link Maintenance#requireAbove}
     * would do for each, so that these calls need no trip. Called at a start before the sequences are opened one by
     * one, and again before they are compared with existing ids. Does nothing by default. Leaves every failure to these
     * calls.
     *
     * @param existing the largest existing ids of each sequence, as for {@code requireAbove}; empty if they are not
     *     known yet
     */
    default void prepare(Map<Sequence, ? extends Collection<Long>> existing) {}

    /**
     * Checks the settings of a sequence and all its servers, and tells what {@link Maintenance#requireAbove} with
     * {@code raise} would change or refuse. Reserves, leases and raises nothing. For tools of an operator, which run
     * beside applications that use the sequence.
     *
     * @param sequence its name and settings; need not be open
     * @param above an id; 0 if there is none
     * @return the results, good and bad; empty if there is no check but {@link #open}
     * @throws io.distributedid.IdConfigurationException if, with a setting, ids would not be unique or would not fit
     */
    default List<CheckResult> check(Sequence sequence, long above) {
        return List.of();
    }

    /**
     * Returns the statistics of a sequence's servers and worker. Must not ask a server, since it is called for every
     * read of the metrics. The owner of {@link BackendContext#buffer} adds the statistics of the buffer.
     *
     * @param sequence opened before
     * @return empty if there are none
     */
    default Optional<SequenceStatistics> statistics(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * Decodes an id.
     *
     * @param sequence opened before, unless its ids have a {@link ComposedIds#time}
     * @param id one of its ids
     * @return its time and fields
     */
    DecodedId decode(Sequence sequence, long id);

    /**
     * Ends two waits with an error: that of {@link #open} for a resource that another process holds, and that of
     * {@link Maintenance#requireAbove} for the clock. Called before {@link #close}, perhaps while another thread opens
     * a sequence; {@link #open} is not called afterwards. A backend that waits only for answers, each with a timeout,
     * need not override this method.
     */
    default void stopWaiting() {}

    /**
     * Ends every wait for an answer with an error, also in {@link #open}, {@link #close} and {@link #abandon}: aborts
     * connections without closing them properly. Another thread calls it if a server hangs and these methods take too
     * long. Must not wait itself.
     *
     * <p>Does nothing by default. Running calls then go on after the end, until their own timeouts.
     */
    default void cut() {}

    /**
     * Ends this backend instead of {@link #close}, because this process may be a copy or be copied. Gives nothing back,
     * writes nothing that undoes a reservation, and cuts off no other process. Stops threads, and closes connections
     * and files. Afterwards {@link BackendProvider#create} makes another backend.
     *
     * <p>Does nothing by default. That repeats no id, since this object is not used any more, but leaves its
     * connections and files open.
     */
    default void abandon() {}

    /** Stops threads, closes connections, and gives back shared resources. Later calls for ids are refused. */
    @Override
    void close();
}
