package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStoreException;
import java.util.List;
import java.util.Map;

/**
 * Stores the rows of sequences. Each is named by its sequence and a place: a section from 0 up, {@link #RECORD}, or a
 * live process from {@link #FIRST_MEMBER} down. A row is never deleted, and only replaced by compare-and-set. The store
 * must not lose what it has answered. Thread-safe.
 *
 * <p>Calls throw {@link TenureStoreException} if the store failed, {@link InterruptedException} on an interrupt, and
 * {@link io.distributedid.IdConfigurationException} if the store can't be used as it is.
 */
interface SectionStore extends AutoCloseable {

    /** The place of a sequence's {@link SectionRecord}. */
    int RECORD = -1;

    int FIRST_MEMBER = -2;

    /** A compare-and-set of the row at a place. */
    record Write(int place, TenureRequest request) {}

    /** All rows of a sequence by place, each as it is at the call or later. */
    Map<Integer, TenureRow> read(String sequence) throws TenureStoreException, InterruptedException;

    /** Writes the first rows of a sequence in one step, unless another process is faster. */
    void create(String sequence, Map<Integer, TenureRow> rows) throws TenureStoreException, InterruptedException;

    /**
     * Replaces rows, each atomically if it is as expected. If it throws, each row may or may not have been replaced, or
     * be replaced later.
     *
     * @return for each write, in their order, whether the row was replaced for certain. Otherwise it may have been
     */
    List<Boolean> write(String sequence, List<Write> writes) throws TenureStoreException, InterruptedException;

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
