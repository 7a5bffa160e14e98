package io.distributedid.internal.keyed.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.keyed.remote.KeySpot.Want;
import io.distributedid.internal.keyed.remote.SharedCall.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Lets calls for one key that wait at the same time share a request. One call of a key leads: its own thread sends the
 * request, for itself and for all that had come by then, and they divide the numbers in the order of their arrival. At
 * its end the first of those that came since leads.
 *
 * <p>Each of the calls began before the request was sent, so its numbers are greater than those of all calls that had
 * returned before. If the time of the one that leads is over, the others of its request wait on, and get numbers of a
 * later one. Thread-safe; has no thread.
 */
final class SharedCalls {

    /** Numbers of one request. */
    static final int MOST_NUMBERS = 10_000;

    /** Sends requests. */
    @FunctionalInterface
    interface Request {

        /**
         * Returns the last of {@code count} numbers, or of the key.
         *
         * @throws IdUnavailableException if the time is over
         */
        long ask(KeySpot spot, int count, CallTime time) throws InterruptedException;
    }

    private final Request request;

    private final Function<KeySpot, String> failure;

    private final ReentrantLock lock = new ReentrantLock();

    /** The calls that wait behind one that leads. Guarded by {@code lock}. */
    private final Map<KeySpot, Deque<SharedCall>> waiting = new HashMap<>();

    /** Guarded by {@code lock}. */
    private boolean ended;

    /** @param failure why there is no answer for a key, in one sentence */
    SharedCalls(Request request, Function<KeySpot, String> failure) {
        this.request = request;
        this.failure = failure;
    }

    /**
     * Returns the last of {@code count} numbers, or of the key.
     *
     * @throws IdUnavailableException if there is none in time
     */
    long call(KeySpot spot, int count, CallTime time) {
        SharedCall call = SharedCall.of(count, time);
        Turn turn = enter(spot, call) ? Turn.LEAD : await(spot, call);
        return turn.leads() ? lead(spot, call) : turn.last();
    }

    /** Returns whether the call leads. */
    private boolean enter(KeySpot spot, SharedCall call) {
        lock.lock();
        try {
            if (ended) {
                throw closed(spot);
            }
            Deque<SharedCall> others = waiting.get(spot);
            if (others != null) {
                others.add(call);
                return false;
            }
            waiting.put(spot, new ArrayDeque<>());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Turn await(KeySpot spot, SharedCall call) {
        try {
            return call.turn().get(Math.max(0, call.time().left()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            leave(spot, call);
            throw new IdUnavailableException(late(spot, call.time()) + failure.apply(spot));
        } catch (InterruptedException e) {
            leave(spot, call);
            throw interrupted(spot, e);
        } catch (ExecutionException e) {
            throw own(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    /** Begins the message of a call whose time is over. That of a bound may be a part of the setting. */
    static String late(KeySpot spot, CallTime time) {
        return "No number within " + time.timeout().toMillis() + " ms ("
                + (spot.want() == Want.BOUND ? "limited by " : "") + "distributedid.block.timeout): " + spot
                + ". ";
    }

    private static IdUnavailableException interrupted(KeySpot spot, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while waiting for a number: " + spot, e);
    }

    /** The same failure with the stack of this caller: several callers share it. */
    private static DistributedIdException own(Throwable shared) {
        String message = String.valueOf(shared.getMessage());
        return shared instanceof IdConfigurationException
                ? new IdConfigurationException(message, shared)
                : new IdUnavailableException(message, shared);
    }

    /** The numbers that it perhaps gets at this moment are a gap. If it has come to lead, another one does. */
    private void leave(KeySpot spot, SharedCall call) {
        boolean leads;
        lock.lock();
        try {
            Deque<SharedCall> others = waiting.get(spot);
            if (others != null) {
                others.remove(call);
            }
            leads = !call.turn().cancel(false)
                    && !call.turn().isCompletedExceptionally()
                    && call.turn().join().leads();
        } finally {
            lock.unlock();
        }
        if (leads) {
            handOver(spot, List.of());
        }
    }

    private long lead(KeySpot spot, SharedCall call) {
        List<SharedCall> others = others(spot, call);
        try {
            return ask(spot, call, others);
        } catch (IdConfigurationException e) {
            // They would meet it too.
            others.forEach(each -> each.turn().completeExceptionally(e));
            throw e;
        } catch (InterruptedException e) {
            throw interrupted(spot, e);
        } finally {
            handOver(spot, others);
        }
    }

    private long ask(KeySpot spot, SharedCall call, List<SharedCall> others) throws InterruptedException {
        int sum = others.stream().mapToInt(SharedCall::count).reduce(call.count(), Integer::sum);
        long last;
        try {
            last = request.ask(spot, sum, call.time());
        } catch (IdsExhaustedException e) {
            if (others.isEmpty()) {
                throw e;
            }
            // Fewer numbers may be left than all want, but enough for this one. The others wait on.
            return request.ask(spot, call.count(), call.time());
        }
        long own = last - sum + call.count();
        long given = own;
        for (SharedCall other : others) {
            given += other.count();
            other.turn().complete(new Turn(false, given));
        }
        return own;
    }

    /** Those that share the request of one that leads, in the order of their arrival. */
    private List<SharedCall> others(KeySpot spot, SharedCall call) {
        List<SharedCall> others = new ArrayList<>();
        lock.lock();
        try {
            Deque<SharedCall> queue = queue(spot);
            int sum = call.count();
            for (SharedCall next = queue.peek();
                    next != null && sum + next.count() <= MOST_NUMBERS;
                    next = queue.peek()) {
                sum += next.count();
                others.add(queue.remove());
            }
        } finally {
            lock.unlock();
        }
        return others;
    }

    /** Ends the lead. Those that shared its request in vain are the first that wait, and the first of all leads. */
    private void handOver(KeySpot spot, List<SharedCall> others) {
        lock.lock();
        try {
            Deque<SharedCall> queue = queue(spot);
            for (int i = others.size() - 1; i >= 0; i--) {
                if (!others.get(i).turn().isDone()) {
                    queue.addFirst(others.get(i));
                }
            }
            if (ended) {
                queue.forEach(each -> each.turn().completeExceptionally(closed(spot)));
                queue.clear();
            }
            SharedCall next = queue.poll();
            // One that has left can't lead.
            while (next != null && !next.turn().complete(Turn.LEAD)) {
                next = queue.poll();
            }
            if (next == null) {
                waiting.remove(spot);
            }
        } finally {
            lock.unlock();
        }
    }

    private Deque<SharedCall> queue(KeySpot spot) {
        return Objects.requireNonNull(waiting.get(spot));
    }

    static IdUnavailableException closed(KeySpot spot) {
        return new IdUnavailableException("The source of numbers is closed: " + spot);
    }

    /** Refuses calls from now on, and ends those that wait behind others. */
    void end() {
        lock.lock();
        try {
            ended = true;
            waiting.forEach((spot, queue) -> {
                queue.forEach(each -> each.turn().completeExceptionally(closed(spot)));
                queue.clear();
            });
        } finally {
            lock.unlock();
        }
    }
}
