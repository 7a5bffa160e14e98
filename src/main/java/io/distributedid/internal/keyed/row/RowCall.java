package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A caller that waits for numbers of a key, or to read its last number. Thread-safe. */
final class RowCall {

    enum Want {
        /** Numbers that are taken. */
        NUMBERS,
        /** The last number of the key. */
        LAST,
        /** The last number of the key, or the floor if that is larger. */
        BOUND
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

    private final RowQueue queue;

    private final Spot spot;

    private final long count;

    private final long began;

    private final Duration timeout;

    private final CompletableFuture<Long> answer = new CompletableFuture<>();

    /**
     * @param queue where it is to wait
     * @param count 0 to read
     * @param began when the caller began, by {@link System#nanoTime}
     */
    RowCall(RowQueue queue, Spot spot, long count, long began, Duration timeout) {
        this.queue = queue;
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

    /** Waits for the answer until the caller's time is over. */
    long await() {
        return pending().await(Platform.JVM, left(), "a number: " + spot);
    }

    /** As {@link #await}, without a thread that waits. */
    Pending<Long> pending() {
        return new Pending<>(answer, () -> {
            if (!answer.isDone()) {
                queue.leave(this);
                answer.completeExceptionally(late());
            }
        });
    }

    private IdUnavailableException late() {
        return new IdUnavailableException("No number within " + timeout.toMillis() + " ms ("
                + "distributedid.block.timeout): " + spot + ". " + queue.failure());
    }
}
