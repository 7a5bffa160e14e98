package io.distributedid.internal.keyed.served;

import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The ledger with the rows of sections, and the {@link SectionMark} beside it. It must not lose what it has answered.
 * Thread-safe.
 *
 * <p>A call that throws an {@link SQLException} may have been done, or be done later. An
 * {@link io.distributedid.IdConfigurationException} says that the store can't be used as it is.
 */
public interface SectionStore extends AutoCloseable {

    /** Reads rows, see {@link io.distributedid.internal.ledger.Ledger#read}. */
    Page read(Collection<String> names, boolean isSynchronised) throws SQLException, InterruptedException;

    /** Changes rows, see {@link io.distributedid.internal.ledger.Ledger#write}. */
    Set<String> write(List<Change> changes) throws SQLException, InterruptedException;

    /** Whether a sequence is marked as numbered from sections. Throws if its numbers are taken in another way. */
    boolean isMarked(String sequence) throws SQLException, InterruptedException;

    /** Marks a sequence unless it is marked. Throws if its numbers are taken in another way. */
    void mark(String sequence) throws SQLException, InterruptedException;

    /** Names the store in messages, without user and password. */
    String label();

    /** Announces the end: limits later calls to one second. Does not wait. */
    void stop();

    /** Aborts calls. Does not wait. */
    void cut();

    /** Ends without a word to the store. */
    void abandon();

    @Override
    void close();
}
