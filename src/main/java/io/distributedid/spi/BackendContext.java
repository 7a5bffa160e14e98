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
    Optional<ConnectionAccess> ownDatabase();

    /**
     * Buffers blocks: ids are handed out from memory and the next block is reserved in the background, as the {@code block.}
     * settings of the sequence say. Closed with the backend's owner.
     *
     * @param sequence whose ids they are
     * @param source reserves them
     * @return its ids
     */
    IdSource buffer(Sequence sequence, BlockSource source);
}
