package io.distributedid.spi;

import java.util.Optional;

/**
 * Where the fields lie in ids that a {@link Backend} composes: the time, and the logical shard. A backend implements
 * the methods for the fields that its ids have. Thread-safe.
 */
public interface ComposedIds {

    /**
     * Returns the fields of the ids of a backend.
     *
     * @param backend any
     * @return the backend itself; if it implements none of this, the defaults
     */
    static ComposedIds of(Backend backend) {
        return backend instanceof ComposedIds composed ? composed : new ComposedIds() {};
    }

    /**
     * Returns the place of the time in the ids of a sequence. A backend with such ids finds the place, and decodes ids,
     * by the settings alone: the sequence need not be open.
     *
     * @param sequence its name and settings
     * @return empty if its ids hold no time
     * @throws io.distributedid.IdConfigurationException if the settings don't determine the place
     */
    default Optional<IdTime> time(Sequence sequence) {
        return Optional.empty();
    }

    /**
     * Returns the place of the logical shard in the ids of a sequence, by the settings alone.
     *
     * @param sequence its name and settings
     * @return empty if its ids carry no shard
     * @throws io.distributedid.IdConfigurationException if the settings don't determine the place
     */
    default Optional<IdShard> shard(Sequence sequence) {
        return Optional.empty();
    }
}
