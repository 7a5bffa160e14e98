package io.distributedid.spi;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;

/**
 * A source whose ids carry the logical shard of their row, which the caller knows. Used by any number of threads at
 * once.
 */
public interface ShardedIdSource extends IdSource {

    /**
     * The next id of a row.
     *
     * @param shard where the row lies, from 0 up to what the layout's field holds
     * @return as {@link IdSource#next()}, with the shard in it
     * @throws IllegalArgumentException if the shard does not fit
     * @throws io.distributedid.IdUnavailableException if none can be issued now
     * @throws io.distributedid.IdsExhaustedException if the sequence has none left
     */
    long next(long shard);

    /** Refused: the shard is never guessed. */
    @Override
    default long next() {
        throw new IdConfigurationException("The ids of this sequence carry a shard, which must be given: "
                + "DistributedIds.nextOnShard(sequence, shard), or " + DistributedIdSettings.SHARD_FROM
                + " for entities");
    }
}
