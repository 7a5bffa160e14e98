package io.distributedid.backend.snowflake;

import io.distributedid.spi.ShardedIdSource;

/**
 * The ids of one sequence that carry the shard of their row.
 *
 * @param generator perhaps shared with other sequences
 * @param fields the fields besides time, worker, sequence and shard, each shifted to its place
 * @param shift the place of the shard
 * @param count of the shards
 */
record ShardedSnowflakeSource(SnowflakeGenerator generator, long fields, int shift, long count)
        implements ShardedIdSource {

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
            throw new IllegalArgumentException("A shard must exist: shard=" + shard + ", allowed: 0 to " + (count - 1)
                    + " (distributedid.shard.count)");
        }
        return fields | shard << shift;
    }
}
