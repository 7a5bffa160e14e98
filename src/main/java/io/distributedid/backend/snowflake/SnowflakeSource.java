package io.distributedid.backend.snowflake;

import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.spi.ShardedIdSource;
import java.time.Duration;

/**
 * The ids of one sequence.
 *
 * @param generator perhaps shared with other sequences
 * @param fields the fields besides time, worker and sequence, each shifted to its place
 */
record SnowflakeSource(SnowflakeGenerator generator, long fields) implements IdSource {

    @Override
    public long next() {
        return generator.next(fields);
    }

    @Override
    public long tryNext() {
        return generator.tryNext(fields);
    }

    @Override
    public ReservedBlock nextBlock(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("The number of ids must be at least 1: count=" + count);
        }
        return new ReservedBlock(generator.nextBlock(fields, count), Duration.ZERO);
    }

    /**
     * The ids of one sequence that carry the shard of their row.
     *
     * @param fields the fields besides time, worker, sequence and shard
     * @param shift the place of the shard
     * @param count of the shards
     */
    record Sharded(SnowflakeGenerator generator, long fields, int shift, long count) implements ShardedIdSource {

        @Override
        public long next(long shard) {
            return generator.next(fieldsOn(shard));
        }

        @Override
        public long tryNext(long shard) {
            return generator.tryNext(fieldsOn(shard));
        }

        private long fieldsOn(long shard) {
            if (shard < 0 || shard >= count) {
                throw new IllegalArgumentException("A shard must exist: shard=" + shard + ", allowed: 0 to "
                        + (count - 1) + " (distributedid.shard.count)");
            }
            return fields | shard << shift;
        }
    }
}
