package io.distributedid;

import java.time.Duration;

/**
 * Called when sequences are opened and closed, when a call waited for an id, and when a block was reserved; see
 * {@link DistributedIds#addListener}. The methods must not use the sequences, and must return at once. An exception
 * that they throw is logged and ignored. Implementations must be thread-safe.
 */
public interface SequenceListener {

    /**
     * Called when a sequence is open. It then has {@link DistributedIds#statistics}, if its backend keeps any.
     *
     * @param sequence its name
     */
    void opened(String sequence);

    /**
     * Called when the wait of one call has ended, with an id or an exception. Calls that found an id in memory did not
     * wait. Runs on the thread that waited, which holds no lock of this library. The first and last waits may be
     * reported before {@link #opened} and after {@link #closed}.
     *
     * @param sequence its name
     * @param time how long the call waited
     */
    default void waited(String sequence, Duration time) {}

    /**
     * Called when a server has reserved a block. Runs on a background thread, which holds no lock of this library. The
     * first and last fetches may be reported before {@link #opened} and after {@link #closed}.
     *
     * @param sequence its name
     * @param time from the request to the answer
     */
    default void fetched(String sequence, Duration time) {}

    /** Called once, when all sequences are closed. No sequence is opened afterwards. */
    default void closed() {}
}
