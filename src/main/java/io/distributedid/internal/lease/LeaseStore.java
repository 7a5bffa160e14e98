package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A ledger on one server, or on several that keep the same rows, with its connection. It must not lose what it has
 * answered. For one thread at a time, but for {@link #stop} and {@link #cut}.
 *
 * <p>A call that throws an {@link SQLException} may have been done, or be done later. An
 * {@link io.distributedid.IdConfigurationException} says that the store can't be used as it is.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Reads rows, see {@link io.distributedid.internal.ledger.Ledger#read}.
     *
     * @param isSynchronised whether the answer shows all that was committed before the call
     */
    Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException;

    /** Changes rows, see {@link io.distributedid.internal.ledger.Ledger#write}. */
    Set<String> write(List<Change> changes) throws SQLException, InterruptedException;

    /** Identifies the server that was called last; empty if that is unknown. */
    default String server() {
        return "";
    }

    /** Names the store in messages, without user and password. */
    String label();

    /** From now on calls wait only briefly, because the store will be closed. By any thread; does not wait. */
    default void stop() {}

    /** Ends calls under way with an error, {@link #close} too. By any thread; does not wait. */
    default void cut() {}

    @Override
    void close();
}
