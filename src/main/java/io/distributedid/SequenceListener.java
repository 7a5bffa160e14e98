package io.distributedid;

/**
 * Called when sequences are opened and closed; see {@link DistributedIds#addListener}. The methods must not use the
 * sequences. An exception that they throw is logged and ignored.
 */
public interface SequenceListener {

    /**
     * Called when a sequence is open. It then has {@link DistributedIds#statistics}, if its backend keeps any.
     *
     * @param sequence its name
     */
    void opened(String sequence);

    /** Called once, when all sequences are closed. No other call follows. */
    default void closed() {}
}
