package io.distributedid.internal.block;

import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reserves consecutive blocks, or fails as told. */
final class ScriptedSource implements BlockSource {

    final List<Long> wanted = new ArrayList<>();

    RuntimeException refuses;

    SQLException fails;

    /** Done by every call. */
    Runnable takes = () -> {};

    /** Of blocks out of a reserve. */
    Duration age = Duration.ZERO;

    private long next = 1;

    @Override
    public Block reserve(long count) throws SQLException {
        wanted.add(count);
        takes.run();
        if (refuses != null) {
            throw refuses;
        }
        if (fails != null) {
            throw fails;
        }
        Block block = new Block(next, 1, count);
        next += count;
        return block;
    }

    @Override
    public ReservedBlock reserveAged(long count) throws SQLException {
        return new ReservedBlock(reserve(count), age);
    }
}
