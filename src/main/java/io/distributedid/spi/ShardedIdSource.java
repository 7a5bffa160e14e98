package io.distributedid.spi;

import io.distributedid.IdConfigurationException;

/** A source whose ids carry the logical shard of their row. The caller gives the shard. Thread-safe. */
public interface ShardedIdSource extends IdSource {

    /**
     * Returns the next id for a row on a shard.
     *
     * @param shard of the row, from 0 up to the maximum of the layout's field
     * @return as {@link IdSource#next()}, with the shard in it
     * @throws IllegalArgumentException if the shard does not fit
     * @throws io.distributedid.IdUnavailableException if no id can be issued now
     * @throws io.distributedid.IdsExhaustedException if the sequence has no ids left
     */
    long next(long shard);

    /**
     * Returns the next id for a row on a shard if no wait is necessary, see {@link IdSource#tryNext()}.
     *
     * @param shard as for {@link #next(long)}
     * @return the id; 0 if a call of {@code next} would wait or fail, and always if a source can't tell
     */
    default long tryNext(long shard) {
        return 0;
    }

    /**
     * Returns the ids for rows on one shard.
     *
     * @param shard as for {@link #next(long)}
     * @return a view of this source
     */
    default IdSource on(long shard) {
        return new IdSource() {
            @Override
            public long next() {
                return ShardedIdSource.this.next(shard);
            }

            @Override
            public long tryNext() {
                return ShardedIdSource.this.tryNext(shard);
            }
        };
    }

    /** Always refused: the shard is never guessed. */
    @Override
    default long next() {
        throw new IdConfigurationException("The ids of this sequence carry a shard, which must be given: "
                + "DistributedIds.nextOnShard(sequence, shard), or distributedid.shard.from"
                + " for entities");
    }
}
