package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for ids or numbers. Those for the same thing share requests, see {@link Combiner}. If no server gives
 * any, the request is repeated after a pause, until its {@link Subject} gives it up. A call ends with its time, and
 * with a request that is given up. Thread-safe.
 *
 * @param <K> what is asked for; its text is in messages, and calls for equal ones share requests
 * @param <A> the answer of a request
 */
public final class PatientCalls<K extends Subject, A> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

    /** Short, since another server may become the right one at any time. */
    private static final Duration LAST_PAUSE = Duration.ofMillis(250);

    private final ServicePool pool;

    private final BiFunction<K, Integer, CompletableFuture<A>> request;

    private final Combiner<K, A> combiner;

    /** With its article. */
    private final String item;

    private final String noun;

    /** Ends a message, see {@link Pages#onCall(String)}. */
    private final String row;

    /** Why requests that are under way have failed so far. */
    private final Map<K, IdUnavailableException> failures = new ConcurrentHashMap<>();

    /** The answers of requests that are repeated after a pause. */
    private final Set<CompletableFuture<A>> pausing = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * @param request asks once; fails with the exceptions of {@link ServicePool#ask}
     * @param most how many items a request may ask for
     * @param size how many items an answer has
     * @param item what is asked for, in messages: {@code an id}
     * @param row ends the message of a call whose time is over, see {@link Pages#onCall(String)}
     */
    public PatientCalls(
            ServicePool pool,
            BiFunction<K, Integer, CompletableFuture<A>> request,
            IntSupplier most,
            ToIntFunction<A> size,
            String item,
            String row) {
        this.pool = pool;
        this.request = request;
        this.item = item;
        this.row = row;
        combiner = new Combiner<>(this::ask, most, size, HttpFailures::isExhausted);
        noun = item.substring(item.indexOf(' ') + 1);
    }

    private CompletableFuture<A> ask(K what, int count) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        send(what, count, answer, pool.platform().nanoTime(), FIRST_PAUSE);
        return answer;
    }

    private void send(K what, int count, CompletableFuture<A> answer, long began, Duration pause) {
        long sent = pool.platform().nanoTime();
        CompletableFuture<?> unused = CompletableFuture.completedFuture(count)
                .thenCompose(items -> request.apply(what, items))
                .whenComplete((given, failure) -> {
                    Throwable reason = failure == null ? null : HttpFailures.unwrapped(failure);
                    what.outage().ended(sent, pool.platform().nanoTime(), reason);
                    if (reason instanceof IdUnavailableException unavailable && isRepeated(what, began)) {
                        failures.put(what, unavailable);
                        sendLater(what, count, answer, began, pause);
                    } else {
                        end(what, answer, given, reason);
                    }
                });
    }

    private boolean isRepeated(K what, long began) {
        return !closed && !what.isGivenUp(began, pool.platform().nanoTime());
    }

    private void end(K what, CompletableFuture<A> answer, @Nullable A given, @Nullable Throwable reason) {
        failures.remove(what);
        if (reason == null) {
            answer.complete(given);
        } else {
            answer.completeExceptionally(reason);
        }
    }

    private void sendLater(K what, int count, CompletableFuture<A> answer, long began, Duration pause) {
        Duration twice = pause.multipliedBy(2);
        pausing.add(answer);
        CompletableFuture<?> unused = after(pause).whenComplete((over, failure) -> {
            if (pausing.remove(answer)) {
                if (failure == null) {
                    send(what, count, answer, began, twice.compareTo(LAST_PAUSE) < 0 ? twice : LAST_PAUSE);
                } else {
                    // So that the next call asks again.
                    what.outage().ended(began, pool.platform().nanoTime(), failure);
                    end(what, answer, null, failure);
                }
            }
        });
        if (closed) {
            endPauses();
        }
    }

    /** Fails if the machine has no thread left that could wait. */
    private CompletableFuture<?> after(Duration pause) {
        try {
            return pool.after(pause);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Asks for items, 0 to read only. Does not wait. The one who made the call must end it when its time is over. */
    public Pending<Combiner.Share<A>> begin(K what, int count) {
        CompletableFuture<Combiner.Share<A>> share = combiner.add(what, count);
        CompletableFuture<Combiner.Share<A>> answer = new CompletableFuture<>();
        CompletableFuture<?> unused = share.whenComplete((given, reason) -> {
            if (reason == null) {
                answer.complete(given);
            } else {
                answer.completeExceptionally(meaning(what, HttpFailures.unwrapped(reason)));
            }
        });
        return new Pending<>(answer, () -> {
            if (!answer.isDone()) {
                answer.completeExceptionally(late(what));
                share.cancel(false);
            }
        });
    }

    private DistributedIdException meaning(K what, Throwable failure) {
        if (closed || failure instanceof CancellationException) {
            return new IdUnavailableException("The source of " + noun + "s is closed: " + what);
        }
        if (failure instanceof IdUnavailableException unavailable) {
            return late(what, Optional.of(unavailable));
        }
        return failure instanceof DistributedIdException known
                ? known
                : new IdUnavailableException("The request for " + noun + "s has failed: " + what, failure);
    }

    /**
     * As {@link #begin}, and waits on this thread until the time of the caller is over.
     *
     * @param began when the caller began
     * @throws IdUnavailableException if there are no items in time
     * @throws DistributedIdException if a later request would fail the same way
     */
    public Combiner.Share<A> call(K what, int count, long began) {
        long left = what.timeout().toNanos() - (pool.platform().nanoTime() - began);
        return begin(what, count).await(pool.platform(), left, item + ": " + what);
    }

    /** Throws if an outage has lasted for longer than a call waits. */
    public void requireInTime(K what) {
        if (what.outage().isLongerThan(what.timeout(), pool.platform().nanoTime())) {
            throw late(what);
        }
    }

    private IdUnavailableException late(K what) {
        return late(what, Optional.ofNullable(failures.get(what)).or(what.outage()::failure));
    }

    private IdUnavailableException late(K what, Optional<IdUnavailableException> failure) {
        String text = "No " + noun + " within " + what.timeout().toMillis() + " ms (distributedid.block.timeout): "
                + what + ". ";
        return failure.map(
                        last -> new IdUnavailableException(Pages.withOneRow(text + FailureText.of(last) + row), last))
                .orElseGet(() -> new IdUnavailableException(text + "The service has not answered yet" + row));
    }

    public boolean isClosed() {
        return closed;
    }

    /** Refuses calls from now on, and ends those that wait behind others or for their next request. */
    public void close() {
        closed = true;
        combiner.close();
        endPauses();
    }

    private void endPauses() {
        for (CompletableFuture<A> each : pausing) {
            if (pausing.remove(each)) {
                each.completeExceptionally(new CancellationException());
            }
        }
    }
}
