package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Combiner;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
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

    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();

    /** Short, since another server may become the right one at any time. */
    private static final long LAST_PAUSE = Duration.ofMillis(250).toNanos();

    /**
     * How long a call waits.
     *
     * @param began when the caller began
     * @param timeout from then on
     * @param isPart whether that is a part of {@code block.timeout}: then the call waits in an old outage, too
     */
    public record Wait(long began, Duration timeout, boolean isPart) {}

    private final Combiner<K, A> combiner;

    private final Outages outages;

    /** With its article. */
    private final String item;

    private final String noun;

    private final LongSupplier nanoTime;

    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /**
     * @param combiner fails with the exceptions of {@link ServicePool#ask}
     * @param item what is asked for, in messages: {@code an id}
     */
    public PatientCalls(ServicePool pool, Combiner<K, A> combiner, String item, LongSupplier nanoTime) {
        this(pool.outages(), combiner, item, nanoTime);
    }

    PatientCalls(Outages outages, Combiner<K, A> combiner, String item, LongSupplier nanoTime) {
        this.combiner = combiner;
        this.outages = outages;
        this.item = item;
        noun = item.substring(item.indexOf(' ') + 1);
        this.nanoTime = nanoTime;
    }

    /**
     * Waits for items, 0 to read only.
     *
     * @throws IdUnavailableException if there are none in time
     * @throws DistributedIdException if a later request would fail the same way
     */
    public Combiner.Share<A> call(K what, int count, Wait wait) {
        IdUnavailableException failure = null;
        for (long pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LAST_PAUSE)) {
            CompletableFuture<Combiner.Share<A>> share = combiner.add(what, count);
            try {
                return share.get(Math.max(0, left(wait)), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                share.cancel(false);
                throw late(what, wait, failure);
            } catch (InterruptedException e) {
                share.cancel(false);
                throw interrupted(what, e);
            } catch (CancellationException e) {
                throw closed(what);
            } catch (ExecutionException e) {
                failure = unavailable(what, HttpFailures.unwrapped(e));
            }
            boolean isOld = !wait.isPart && outages.isLongerThan(wait.timeout, what.place());
            if (isOld || left(wait) <= pause) {
                throw late(what, wait, failure);
            }
            pause(what, pause);
        }
    }

    private long left(Wait wait) {
        return wait.timeout.toNanos() - (nanoTime.getAsLong() - wait.began);
    }

    /** Throws any other failure with the stack of this caller: several callers share it. */
    private IdUnavailableException unavailable(K what, Throwable shared) {
        if (closed.isDone()) {
            throw closed(what);
        }
        if (!(shared instanceof DistributedIdException known)) {
            throw new IdUnavailableException("The request for " + noun + "s has failed: " + what, shared);
        }
        if (known instanceof IdUnavailableException unavailable) {
            return unavailable;
        }
        throw HttpFailures.own(known);
    }

    private void pause(K what, long nanos) {
        try {
            closed.get(nanos, TimeUnit.NANOSECONDS);
            throw closed(what);
        } catch (TimeoutException e) {
            // The pause is over.
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Throws if an outage has lasted for longer than a call waits. */
    public void requireInTime(K what, Wait wait) {
        if (outages.isLongerThan(wait.timeout, what.place())) {
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
        return outages.failure(what.place());
    }

    private IdUnavailableException interrupted(K what, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while waiting for " + item + ": " + what, e);
    }

    private IdUnavailableException closed(K what) {
        return new IdUnavailableException("The source of " + noun + "s is closed: " + what);
    }

    /** Asks for an item that nobody waits for, so that the end of an outage is noticed. */
    public CompletableFuture<?> probe(K what) {
        return combiner.add(what, 1);
    }

    public boolean isClosed() {
        return closed.isDone();
    }

    /** Refuses calls from now on, and ends those that wait behind others. */
    public void close() {
        closed.complete(null);
        combiner.close();
    }
}
