package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.keyed.source.PendingNumber;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A caller that waits for numbers of a key, or to read its last number. Thread-safe. */
final class RowCall {

    enum Want {
        /** Numbers that are taken. */
        NUMBERS,
        /** The last number of the key. */
        LAST,
        /** The last number of the key, or the floor of its server if that is larger. */
        BOUND,
        /** That the records of the sequence are compared. */
        COMPARED
    }

    /** What is asked for. Calls with equal spots share one statement. */
    record Spot(String sequence, String key, Want want) {

        /** Whether no number is taken. */
        boolean isRead() {
            return want != Want.NUMBERS;
        }

        /** For messages. */
        @Override
        public String toString() {
            return "seq=" + sequence + " key=" + key;
        }
    }

    private final Spot spot;

    private final long count;

    private final long began;

    private final Duration timeout;

    /** Where it waits. */
    private volatile @Nullable RowQueue queue;

    private final CompletableFuture<Long> answer = new CompletableFuture<>();

    /**
     * @param count 0 to read
     * @param began when the caller began, by {@link System#nanoTime}
     */
    RowCall(Spot spot, long count, long began, Duration timeout) {
        this.spot = spot;
        this.count = count;
        this.began = began;
        this.timeout = timeout;
    }

    Spot spot() {
        return spot;
    }

    long count() {
        return count;
    }

    Duration timeout() {
        return timeout;
    }

    /** Whether it has its answer, or its caller has stopped waiting. */
    boolean isOver() {
        return left() <= 0 || answer.isDone();
    }

    private long left() {
        return timeout.toNanos() - (System.nanoTime() - began);
    }

    /** @param last the last of the numbers that were taken, or of the key */
    void succeed(long last) {
        answer.complete(last);
    }

    void fail(DistributedIdException failure) {
        answer.completeExceptionally(failure);
    }

    /** Gives the call to others. If they refuse it, it fails with their reason. */
    void orFail(Consumer<RowCall> work) {
        try {
            work.accept(this);
        } catch (DistributedIdException e) {
            fail(e);
        }
    }

    void waitsIn(RowQueue next) {
        queue = next;
    }

    private void leave() {
        RowQueue left = queue;
        if (left != null) {
            left.leave(this);
        }
    }

    /** Waits for the answer until the caller's time is over. */
    long await() {
        try {
            return answer.get(Math.max(0, left()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            leave();
            throw late();
        } catch (InterruptedException e) {
            leave();
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for a number: " + spot, e);
        } catch (ExecutionException e) {
            throw own(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    /** As {@link #await}, without a thread that waits. */
    PendingNumber pending() {
        return new PendingNumber(answer.thenApply(OptionalLong::of), () -> {
            if (!answer.isDone()) {
                leave();
                answer.completeExceptionally(late());
            }
        });
    }

    private IdUnavailableException late() {
        RowQueue left = queue;
        String why = left == null ? RowQueue.NO_ANSWER : left.failure();
        return new IdUnavailableException("No number within " + timeout.toMillis() + " ms ("
                + "distributedid.block.timeout): " + spot + ". " + why);
    }

    /** The same failure with the stack of this caller: several callers may share it. */
    private static DistributedIdException own(Throwable shared) {
        String message = String.valueOf(shared.getMessage());
        if (shared instanceof IdsExhaustedException) {
            DistributedIdException failure = new IdsExhaustedException(message);
            failure.initCause(shared);
            return failure;
        }
        return shared instanceof IdConfigurationException
                ? new IdConfigurationException(message, shared)
                : new IdUnavailableException(message, shared);
    }
}
