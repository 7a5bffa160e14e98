package io.distributedid.internal.block;

import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ReservedBlock;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A wish for a block of one source, which is answered once. Thread-safe. */
public final class BlockRequest {

    private final BlockSource source;

    private final long wanted;

    /** Gets the block or the failure; the other one is null. */
    @FunctionalInterface
    interface Answer {

        void to(BlockRequest request, @Nullable ReservedBlock block, @Nullable Throwable failure);
    }

    private final Answer answer;

    private final AtomicBoolean answered = new AtomicBoolean();

    /** When it was sent to a server first. Written before it is sent. */
    private volatile long sentAt;

    /** When it was sent to a server first and postponed; 0 if it was not postponed. */
    private volatile long postponedSince;

    private volatile @Nullable String postponed;

    /** Reserves blocks for some requests. */
    @FunctionalInterface
    public interface Reservation {

        void of(List<BlockRequest> requests) throws InterruptedException;
    }

    /**
     * Reserves one block: a batch of one.
     *
     * @param wanted how many ids, at least 1
     * @throws SQLException if it was postponed
     */
    public static Block reserve(BlockSource source, long wanted, Reservation reservation)
            throws SQLException, InterruptedException {
        AtomicReference<@Nullable ReservedBlock> given = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        BlockRequest request = new BlockRequest(source, wanted, (answered, block, failure) -> {
            given.set(block);
            failed.set(failure);
        });
        reservation.of(List.of(request));
        if (failed.get() instanceof RuntimeException e) {
            throw e;
        }
        if (failed.get() instanceof Error e) {
            throw e;
        }
        ReservedBlock block = given.get();
        if (block == null) {
            throw new SQLTransientException(request.postponed, failed.get());
        }
        return block.block();
    }

    /** {@code wanted}: how many ids, at least 1. */
    BlockRequest(BlockSource source, long wanted, Answer answer) {
        this.source = source;
        this.wanted = wanted;
        this.answer = answer;
    }

    public BlockSource source() {
        return source;
    }

    public long wanted() {
        return wanted;
    }

    public boolean isAnswered() {
        return answered.get();
    }

    /** With ids that the server has reserved just now. Returns false if it has an answer already: they are a gap. */
    public boolean answer(Block block) {
        return answer(new ReservedBlock(block, Duration.ZERO));
    }

    boolean answer(ReservedBlock block) {
        boolean first = answered.compareAndSet(false, true);
        if (first) {
            answer.to(this, block, null);
        }
        return first;
    }

    /** Does nothing if it has an answer already. */
    public void fail(Throwable failure) {
        if (answered.compareAndSet(false, true)) {
            answer.to(this, null, failure);
        }
    }

    /** For a short time, its counter is locked or its server busy: the request is soon sent again. */
    public void postpone(String reason) {
        postponed = reason;
    }

    public boolean isPostponed() {
        return postponed != null;
    }

    /** The reason of a new postponement, which is taken note of; null if there is none. */
    @Nullable
    String takePostponed() {
        String reason = postponed;
        postponed = null;
        if (reason != null && postponedSince == 0) {
            postponedSince = sentAt | 1;
        }
        return reason;
    }

    void sent(long now) {
        sentAt = now;
    }

    long sentAt() {
        return sentAt;
    }

    /** For how long it has been postponed. */
    long nanosPostponed(long now) {
        return now - postponedSince;
    }
}
