package io.distributedid.spi;

import java.time.InstantSource;
import java.util.Optional;

/** What a backend may use of its surroundings. */
public interface BackendContext {

    /**
     * The clock. Backends never read another one.
     *
     * @return the system's, or one set by a test
     */
    InstantSource clock();

    /**
     * The persistence unit's own database.
     *
     * @return empty without Hibernate
     */
    Optional<ConnectionAccess> applicationDatabase();

    /**
     * Whether this process has been suspended and resumed, so that other copies of it may run: with the same memory,
     * the same settings and the same clock. What must be different in each then has to come from outside.
     *
     * @return false in a process that was started and never suspended
     */
    default boolean isResumed() {
        return false;
    }

    /**
     * The provider's backend before the last suspend. What it knows of servers may be taken over: how far they have
     * come, which server is which. What it held must not be: blocks, windows, worker numbers, connections.
     *
     * @return abandoned; empty if there was none, and once {@link BackendProvider#create} has returned
     */
    default Optional<Backend> former() {
        return Optional.empty();
    }

    /**
     * Buffers blocks: ids are handed out from memory and the next block is reserved in the background, as the
     * {@code block.} settings of the sequence say. Closed with the backend's owner.
     *
     * @param sequence whose ids they are
     * @param source reserves them
     * @return its ids
     */
    IdSource buffer(Sequence sequence, BlockSource source);
}
