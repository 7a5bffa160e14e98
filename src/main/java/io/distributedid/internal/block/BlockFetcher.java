package io.distributedid.internal.block;

import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.function.LongSupplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Reserves blocks, cut to the range of the sequence's type, and gives unused ids back. May block. */
final class BlockFetcher {

    private static final Logger LOG = System.getLogger(BlockFetcher.class.getName());

    private final Sequence sequence;

    private final BlockSource source;

    private final BlockPolicy policy;

    private final LongSupplier nanoTime;

    @Name("io.distributedid.Fetch")
    @Label("Fetch")
    @Category("Distributed Ids")
    @Description("A block of ids was asked for")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // The flight recorder reads them.
    private static final class FetchEvent extends Event {

        @Label("Sequence")
        @Nullable
        String seq;

        @Label("Server")
        @Description("The server that gave the block, or failed last")
        @Nullable
        String server;

        @Label("Wanted")
        @Description("How many ids")
        long wanted;

        @Label("Got")
        @Description("How many ids")
        long got;

        @Label("Error")
        @Nullable
        String error;
    }

    BlockFetcher(Sequence sequence, BlockSource source, BlockPolicy policy, LongSupplier nanoTime) {
        this.sequence = sequence;
        this.source = source;
        this.policy = policy;
        this.nanoTime = nanoTime;
    }

    /** Reserves up to {@code size} ids. Their age counts from before the request to the server. */
    ReservedIds fetch(long size) throws SQLException, InterruptedException {
        FetchEvent event = new FetchEvent();
        event.begin();
        long requested = nanoTime.getAsLong();
        Block block = null;
        Throwable failure = null;
        try {
            block = withinType(source.reserve(size));
            return new ReservedIds(block, requested, policy);
        } catch (SQLException | InterruptedException | RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            record(event, size, block == null ? 0 : block.count(), failure);
        }
    }

    private void record(FetchEvent event, long wanted, long got, @Nullable Throwable failure) {
        event.end();
        if (event.shouldCommit()) {
            event.seq = sequence.name();
            event.server = source.server();
            event.wanted = wanted;
            event.got = got;
            event.error = failure == null ? null : failure.toString();
            event.commit();
        }
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

    /** Gives unused ids back if the source can do so safely. No caller can take them any more. */
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
