package io.distributedid.backend.snowflake;

import io.distributedid.spi.IdSource;
import io.distributedid.spi.ReservedBlock;
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
}
