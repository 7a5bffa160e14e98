package io.distributedid.internal.block;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.event.Events;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.function.LongSupplier;

/** Reserves blocks that fit the sequence's type, and gives back what is left of them. May block. */
final class BlockFetcher {

    private static final Logger LOG = System.getLogger(BlockFetcher.class.getName());

    private final Sequence sequence;

    private final BlockSource source;

    private final BlockPolicy policy;

    private final LongSupplier nanoTime;

    BlockFetcher(Sequence sequence, BlockSource source, BlockPolicy policy, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.source = source;
        this.policy = policy;
        this.nanoTime = nanoTime;
    }

    /** Reserves up to {@code size} ids; their age counts from before the server was asked. */
    ReservedIds fetch(long size) throws SQLException, InterruptedException {
        Events.Fetching event = Events.fetch(sequence.name(), size);
        long asked = nanoTime.getAsLong();
        Block block = null;
        Throwable failure = null;
        try {
            block = withinType(source.reserve(size));
            return new ReservedIds(block, asked, policy);
        } catch (SQLException | InterruptedException | RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            event.end(server(), block == null ? 0 : block.count(), failure);
        }
    }

    private String server() {
        return source instanceof ServedBlocks served ? served.server() : "";
    }

    private Block withinType(Block block) {
        long max = sequence.maxValue();
        if (block.first() > max) {
            throw new IdsExhaustedException("The next id does not fit its type: " + sequence + " id=" + block.first()
                    + ", allowed: up to " + max + ". Map the property to a wider type");
        }
        return block.last() <= max
                ? block
                : new Block(block.first(), block.step(), (max - block.first()) / block.step() + 1);
    }

    /** Gives ids back that nobody took and nobody can take any more, if that is safe. */
    void giveBack(Block rest) {
        boolean given = false;
        try {
            given = source.giveBack(rest);
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "Unused ids could not be given back: " + sequence, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String fate = given ? "given back" : "a gap";
        LOG.log(Level.DEBUG, "Closed with {0} unused ids, {1}: {2}", rest.count(), fate, sequence);
    }
}
