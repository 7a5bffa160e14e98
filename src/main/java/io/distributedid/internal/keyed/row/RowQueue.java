package io.distributedid.internal.keyed.row;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one connection. Those of one spot go together; spots take turns in the order of their first
 * waiting call. Calls whose statement failed come first, with those for the same spot that have arrived since.
 *
 * <p>Remembers how long statements have failed. While that is longer than the time of a caller, only one call waits,
 * and the others fail at once. Thread-safe; one thread takes calls out.
 */
final class RowQueue {

    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    // The lock guards the fields from here on.

    private final Map<RowCall.Spot, List<RowCall>> waiting = new LinkedHashMap<>();

    /** The calls that were taken out and are not answered yet. */
    private List<RowCall> current = List.of();

    private boolean ended;

    /** When the first failure since the last success was; null after a success. */
    private @Nullable Long failingSince;

    /** The first failure since the last success. */
    private String failure = "The server has not answered yet";

    private long pause = FIRST_PAUSE;

    /** Throws if the queue has ended, or an outage lasts and another call waits for its end. */
    void add(RowCall call) {
        lock.lock();
        try {
            if (ended) {
                throw closed(call.spot());
            }
            if (isFailingFor(call) && !(current.isEmpty() && waiting.isEmpty())) {
                throw new IdUnavailableException("No number can be issued: " + call.spot() + ". " + failure);
            }
            waiting.computeIfAbsent(call.spot(), spot -> new ArrayList<>()).add(call);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isFailingFor(RowCall call) {
        return failingSince != null
                && System.nanoTime() - failingSince > call.timeout().toNanos();
    }

    private static IdUnavailableException closed(RowCall.Spot spot) {
        return new IdUnavailableException("The source of ids is closed: " + spot);
    }

    /** Forgets a call whose time is over: while a server hangs, they would add up. */
    void leave(RowCall call) {
        lock.lock();
        try {
            List<RowCall> calls = waiting.get(call.spot());
            if (calls != null && calls.remove(call) && calls.isEmpty()) {
                waiting.remove(call.spot());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Why calls have got no answer. */
    String failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for calls, and returns those of one spot; none once ended, or if all have left. */
    List<RowCall> next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!ended && current.isEmpty() && waiting.isEmpty()) {
                changed.await();
            }
            List<RowCall> taken = new ArrayList<>(current);
            if (!current.isEmpty()) {
                List<RowCall> more = waiting.remove(current.get(0).spot());
                taken.addAll(more == null ? List.of() : more);
            } else if (!waiting.isEmpty()) {
                Iterator<List<RowCall>> first = waiting.values().iterator();
                taken.addAll(first.next());
                first.remove();
            }
            current = taken.stream().filter(call -> !call.isOver()).toList();
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** The calls that were taken out are answered. */
    void answered() {
        lock.lock();
        try {
            current = List.of();
        } finally {
            lock.unlock();
        }
    }

    /** The server has answered. */
    void recovered() {
        lock.lock();
        try {
            failingSince = null;
            pause = FIRST_PAUSE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * After a failure, waits a moment, so that the next {@link #next} returns the same calls. Returns false if they
     * must fail now.
     */
    boolean repeat(String why) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (failingSince == null) {
                failingSince = System.nanoTime();
                failure = why;
            }
            if (ended || isFailingFor(current.get(0))) {
                return false;
            }
            long left = pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            while (left > 0 && !ended) {
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses calls from now on, and ends the waits of those that were not taken out. */
    void end() {
        List<RowCall> left = new ArrayList<>();
        lock.lock();
        try {
            ended = true;
            waiting.values().forEach(left::addAll);
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.fail(closed(call.spot())));
    }

    /** Ends the waits of the calls that were taken out, too. */
    void drop() {
        end();
        List<RowCall> left;
        lock.lock();
        try {
            left = current;
            current = List.of();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.fail(closed(call.spot())));
    }
}
