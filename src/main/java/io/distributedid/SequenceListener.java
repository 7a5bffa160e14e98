package io.distributedid;

/**
 * Is told which sequences there are to be watched; see {@link DistributedIds#addListener}. Must not use the sequences
 * meanwhile.
 */
public interface SequenceListener {

    /**
     * A sequence is open: it has {@link DistributedIds#statistics}, if its backend keeps any.
     *
     * @param sequence its name
     */
    void opened(String sequence);

    /** All sequences were closed. Called once; no other call follows. */
    default void closed() {}
}
