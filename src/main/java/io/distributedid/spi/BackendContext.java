package io.distributedid.spi;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The services that a backend gets from its owner. */
public interface BackendContext {

    /**
     * Returns the clock. Backends must not read another clock.
     *
     * @return the clock of the system, or one set by a test
     */
    InstantSource clock();

    /**
     * Returns the application's own database: that of the persistence unit, or the one given to the builder of
     * {@link io.distributedid.DistributedIds}.
     *
     * @return empty if there is none, or every connection belongs to a tenant
     */
    Optional<ConnectionAccess> applicationDatabase();

    /**
     * Returns whether this process was suspended and resumed. Then other copies of it may run, with the same memory,
     * settings and clock. A value that must differ between the copies has to come from outside.
     *
     * @return false if it was never suspended
     */
    default boolean isResumed() {
        return false;
    }

    /**
     * Returns the provider's backend before the last suspend. The new backend may take over what the former knew of
     * servers: their counters and identities. It must not take over blocks, windows, worker numbers or connections.
     *
     * @return abandoned; empty if there was none, and after {@link BackendProvider#create} has returned
     */
    default Optional<Backend> former() {
        return Optional.empty();
    }

    /**
     * Buffers blocks: hands ids out from memory, and reserves the next block in the background, according to the
     * {@code block.} settings of the sequence. The backend's owner closes the buffer.
     *
     * @param sequence of the ids
     * @param source reserves the blocks
     * @return the sequence's ids
     */
    IdSource buffer(Sequence sequence, BlockSource source);

    /**
     * Reports to the application's listeners that a call has waited for an id; see
     * {@link io.distributedid.SequenceListener#waited}. The buffer reports its own waits. Call this method without
     * holding a lock.
     *
     * @param sequence its name
     * @param time how long the call waited
     */
    default void waited(String sequence, Duration time) {}
}
