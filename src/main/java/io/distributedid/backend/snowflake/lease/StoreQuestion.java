package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A question to some servers that changes nothing. For one thread, and for one call.
 *
 * @param <T> the answer
 */
final class StoreQuestion<T> {

    /** The end of a request; either {@code answer} or {@code failure} is null. */
    record Ended<T>(
            StoreServer server,
            @Nullable T answer,
            @Nullable Exception failure) {

        /** The answer, if there is no failure. */
        T good() {
            return Objects.requireNonNull(answer);
        }
    }

    private final Deque<StoreServer> next;

    private final Function<StoreServer, CompletableFuture<T>> request;

    private final Duration slow;

    private final BlockingQueue<Ended<T>> results = new LinkedBlockingQueue<>();

    private final List<Ended<T>> failed = new ArrayList<>();

    private int underWay;

    /**
     * @param servers in the order in which they are asked
     * @param request sends it to one of them; its end has a limit
     * @param slow the time after which a server may hang
     */
    StoreQuestion(Collection<StoreServer> servers, Function<StoreServer, CompletableFuture<T>> request, Duration slow) {
        next = new ArrayDeque<>(servers);
        this.request = request;
        this.slow = slow;
    }

    /**
     * Asks one server after the other, and the next one too if a server is slow. Returns the first good answer.
     *
     * @throws WorkerStoreException if all failed, with the message of each
     * @throws DistributedIdException if one refuses what a later request would ask again, and none answers
     */
    Ended<T> first() throws WorkerStoreException, InterruptedException {
        startNext();
        while (underWay > 0) {
            Ended<T> ended = next.isEmpty() ? results.take() : results.poll(slow.toNanos(), TimeUnit.NANOSECONDS);
            if (ended == null) {
                startNext();
            } else if (isGood(ended)) {
                return ended;
            } else if (underWay == 0) {
                startNext();
            }
        }
        throw failure(failed);
    }

    /** Asks all at once. Once one has answered, does not wait for slow ones. Returns the good answers, at least one. */
    List<Ended<T>> good() throws WorkerStoreException, InterruptedException {
        startAll();
        List<Ended<T>> good = new ArrayList<>();
        while (underWay > 0) {
            Ended<T> ended = good.isEmpty() ? results.take() : results.poll(slow.toNanos(), TimeUnit.NANOSECONDS);
            if (ended == null) {
                break;
            }
            if (isGood(ended)) {
                good.add(ended);
            }
        }
        if (good.isEmpty()) {
            throw failure(failed);
        }
        return good;
    }

    /** Asks all at once, and waits for all. Returns the good answers and the failures. */
    List<Ended<T>> all() throws InterruptedException {
        startAll();
        List<Ended<T>> all = new ArrayList<>();
        while (underWay > 0) {
            all.add(results.take());
            underWay--;
        }
        return all;
    }

    private void startAll() {
        while (!next.isEmpty()) {
            startNext();
        }
    }

    private void startNext() {
        StoreServer server = next.poll();
        if (server != null) {
            underWay++;
            CompletableFuture<T> unused = request.apply(server)
                    .whenComplete((answer, failure) ->
                            results.add(new Ended<>(server, answer, failure == null ? null : server.reason(failure))));
        }
    }

    private boolean isGood(Ended<T> ended) {
        underWay--;
        if (ended.failure != null) {
            failed.add(ended);
        }
        return ended.failure == null;
    }

    /** What to throw if no server answers. */
    static WorkerStoreException failure(List<? extends Ended<?>> failed) {
        for (Ended<?> each : failed) {
            if (each.failure() instanceof DistributedIdException refusal) {
                throw refusal;
            }
        }
        return new WorkerStoreException(
                failed.stream().map(StoreQuestion::said).collect(Collectors.joining("; ")),
                Objects.requireNonNull(failed.get(0).failure()));
    }

    /** {@code https://ids1:8443 said: No connection}. */
    static String said(Ended<?> failed) {
        return failed.server().label() + " said: " + message(failed);
    }

    static String message(Ended<?> failed) {
        return String.valueOf(Objects.requireNonNull(failed.failure()).getMessage());
    }
}
