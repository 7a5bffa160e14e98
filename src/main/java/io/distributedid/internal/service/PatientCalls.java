package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.process.Pending;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for ids or numbers. Those for the same thing share requests, see {@link Combiner}. If no server gives
 * any, a call is in a request again after a pause, until its time is over. In an outage that has lasted for longer than
 * that, it is in one request only. Thread-safe.
 *
 * @param <K> what is asked for; its text is in messages, and calls for equal ones share requests
 * @param <A> the answer of a request
 */
public final class PatientCalls<K extends Subject, A> {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

    /** Short, since another server may become the right one at any time. */
    private static final Duration LAST_PAUSE = Duration.ofMillis(250);

    /**
     * How long a call waits.
     *
     * @param began when the caller began
     * @param timeout from then on
     * @param isPart whether that is a part of {@code block.timeout}: then the call waits in an old outage, too
     */
    public record Wait(long began, Duration timeout, boolean isPart) {}

    private final ServicePool pool;

    private final Combiner<K, A> combiner;

    /** With its article. */
    private final String item;

    private final String noun;

    private final Set<Call> open = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * @param combiner fails with the exceptions of {@link ServicePool#ask}
     * @param item what is asked for, in messages: {@code an id}
     */
    public PatientCalls(ServicePool pool, Combiner<K, A> combiner, String item) {
        this.pool = pool;
        this.combiner = combiner;
        this.item = item;
        noun = item.substring(item.indexOf(' ') + 1);
    }

    /** Asks for items, 0 to read only. Does not wait. The one who made the call must end it when its time is over. */
    public Pending<Combiner.Share<A>> begin(K what, int count, Wait wait) {
        Call call = new Call(what, count, wait);
        open.add(call);
        CompletableFuture<?> unused = call.answer.whenComplete((share, failure) -> open.remove(call));
        call.send();
        return new Pending<>(call.answer, call::end);
    }

    /**
     * As {@link #begin}, and waits on this thread until the time of the caller is over.
     *
     * @throws IdUnavailableException if there are no items in time
     * @throws DistributedIdException if a later request would fail the same way
     */
    public Combiner.Share<A> call(K what, int count, Wait wait) {
        return begin(what, count, wait).await(pool.platform(), left(wait), item + ": " + what);
    }

    private long left(Wait wait) {
        return wait.timeout.toNanos() - (pool.platform().nanoTime() - wait.began);
    }

    private final class Call {

        private final K what;

        private final int count;

        private final Wait wait;

        private final CompletableFuture<Combiner.Share<A>> answer = new CompletableFuture<>();

        private volatile CompletableFuture<Combiner.Share<A>> share = answer;

        private volatile @Nullable IdUnavailableException failure;

        private volatile Duration pause = FIRST_PAUSE;

        private Call(K what, int count, Wait wait) {
            this.what = what;
            this.count = count;
            this.wait = wait;
        }

        private void send() {
            if (closed) {
                close();
            } else if (!answer.isDone()) {
                CompletableFuture<Combiner.Share<A>> asked = combiner.add(what, count);
                share = asked;
                CompletableFuture<?> unused = asked.whenComplete(this::ended);
            }
        }

        private void ended(Combiner.@Nullable Share<A> given, @Nullable Throwable reason) {
            if (given != null) {
                answer.complete(given);
                return;
            }
            Throwable shared = HttpFailures.unwrapped(Objects.requireNonNull(reason));
            if (closed || shared instanceof CancellationException) {
                close();
            } else if (shared instanceof IdUnavailableException unavailable) {
                failure = unavailable;
                sendLater();
            } else {
                answer.completeExceptionally(
                        shared instanceof DistributedIdException
                                ? shared
                                : new IdUnavailableException(
                                        "The request for " + noun + "s has failed: " + what, shared));
            }
        }

        private void sendLater() {
            boolean isOld = !wait.isPart && pool.outages().isLongerThan(wait.timeout, what.place());
            Duration next = pause;
            if (isOld || left(wait) <= next.toNanos()) {
                answer.completeExceptionally(late(what, wait, failure));
                return;
            }
            Duration twice = next.multipliedBy(2);
            pause = twice.compareTo(LAST_PAUSE) < 0 ? twice : LAST_PAUSE;
            CompletableFuture<?> unused = pool.after(next).thenRun(this::send);
        }

        private void close() {
            answer.completeExceptionally(new IdUnavailableException("The source of " + noun + "s is closed: " + what));
        }

        private void end() {
            if (!answer.isDone()) {
                answer.completeExceptionally(late(what, wait, failure));
                share.cancel(false);
            }
        }
    }

    /** Throws if an outage has lasted for longer than a call waits. */
    public void requireInTime(K what, Wait wait) {
        if (pool.outages().isLongerThan(wait.timeout, what.place())) {
            throw late(what, wait, null);
        }
    }

    private IdUnavailableException late(K what, Wait wait, @Nullable IdUnavailableException last) {
        String text = "No " + noun + " within " + wait.timeout.toMillis() + " ms (" + (wait.isPart ? "limited by " : "")
                + "distributedid.block.timeout): " + what + ". ";
        return last == null
                ? new IdUnavailableException(text + failure(what).orElse("The service has not answered yet"))
                : new IdUnavailableException(text + FailureText.of(last), last);
    }

    /** Why nothing is given; empty if there is no outage. */
    public Optional<String> failure(K what) {
        return pool.outages().failure(what.place());
    }

    /** Asks for an item that nobody waits for, so that the end of an outage is noticed. */
    public CompletableFuture<?> probe(K what) {
        return combiner.add(what, 1);
    }

    public boolean isClosed() {
        return closed;
    }

    /** Refuses calls from now on, and ends those that wait behind others or for their next request. */
    public void close() {
        closed = true;
        combiner.close();
        open.stream().filter(call -> call.share.isDone()).forEach(Call::close);
    }
}
