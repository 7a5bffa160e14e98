package io.distributedid.internal.keyed.row;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one server. Those of one spot go together; spots take turns in the order of their first
 * waiting call. Several threads take calls out, never two for one spot: the second would wait for the lock of its row.
 * Calls whose statement failed stay with their thread, which takes those for the same spot that have arrived since.
 *
 * <p>Remembers how long statements have failed. While that is longer than the time of a caller, only one call waits,
 * and the others fail at once. Forgets it once no call has tried for {@link #LONGEST_PAUSE}: the server may be back.
 * Thread-safe.
 */
final class RowQueue {

    static final String NO_ANSWER = "The server has not answered yet";

    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();

    private final UnaryOperator<RowCall.Spot> together;

    private final LongSupplier nanos;

    private final ReentrantLock lock = new ReentrantLock();

    /** A spot can be taken out, or the queue has ended. */
    private final Condition ready = lock.newCondition();

    private final Condition over = lock.newCondition();

    // The lock guards the fields from here on.

    private final Map<RowCall.Spot, List<RowCall>> waiting = new LinkedHashMap<>();

    /** The calls that were taken out and are not answered yet. */
    private final Map<RowCall.Spot, List<RowCall>> current = new HashMap<>();

    private boolean ended;

    /** When the first failure since the last success was; null after a success. Read without the lock too. */
    private volatile @Nullable Long failingSince;

    private long failedLast;

    /** The first failure since the last success. */
    private String failure = NO_ANSWER;

    private long pause = FIRST_PAUSE;

    RowQueue() {
        this(UnaryOperator.identity(), System::nanoTime);
    }

    /** @param together returns the spot under which calls for a spot wait */
    RowQueue(UnaryOperator<RowCall.Spot> together, LongSupplier nanos) {
        this.together = together;
        this.nanos = nanos;
    }

    private RowCall.Spot spot(RowCall call) {
        return together.apply(call.spot());
    }

    /** Throws if the queue has ended, or an outage lasts and another call waits for its end. */
    void add(RowCall call) {
        lock.lock();
        try {
            if (ended) {
                throw closed(call.spot());
            }
            boolean isTried = !(current.isEmpty() && waiting.isEmpty());
            if (!isTried && nanos.getAsLong() - failedLast > LONGEST_PAUSE) {
                recovered();
            }
            if (isTried && isFailingFor(call)) {
                throw new IdUnavailableException("No number can be issued: " + call.spot() + ". " + failure);
            }
            waiting.computeIfAbsent(spot(call), spot -> new ArrayList<>()).add(call);
            call.waitsIn(this);
            if (!current.containsKey(spot(call))) {
                ready.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isFailingFor(RowCall call) {
        Long since = failingSince;
        return since != null && nanos.getAsLong() - since > call.timeout().toNanos();
    }

    private static IdUnavailableException closed(RowCall.Spot spot) {
        return new IdUnavailableException("The source of ids is closed: " + spot);
    }

    /** Forgets a call whose time is over: while a server hangs, they would add up. */
    void leave(RowCall call) {
        lock.lock();
        try {
            List<RowCall> calls = waiting.get(spot(call));
            if (calls != null && calls.remove(call) && calls.isEmpty()) {
                waiting.remove(spot(call));
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

    /**
     * Waits for calls, and returns those of one spot; none once ended, or if all have left. They are answered by the
     * thread's next call of this method, or by {@link #answered}; or they are taken again by {@link #again}.
     *
     * @param answered what the thread has taken out and answered
     */
    List<RowCall> next(List<RowCall> answered) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            remove(answered);
            RowCall.Spot spot = free();
            while (!ended && spot == null) {
                ready.await();
                spot = free();
            }
            return spot == null ? List.of() : take(spot, List.of());
        } finally {
            lock.unlock();
        }
    }

    /** Another thread may have the same spot by now. */
    private void remove(List<RowCall> answered) {
        if (!answered.isEmpty()) {
            current.remove(spot(answered.get(0)), answered);
        }
    }

    private RowCall.@Nullable Spot free() {
        for (RowCall.Spot spot : waiting.keySet()) {
            if (!current.containsKey(spot)) {
                return spot;
            }
        }
        return null;
    }

    private List<RowCall> take(RowCall.Spot spot, List<RowCall> before) {
        List<RowCall> taken = new ArrayList<>(before);
        taken.addAll(waiting.getOrDefault(spot, List.of()));
        waiting.remove(spot);
        taken.removeIf(RowCall::isOver);
        if (taken.isEmpty()) {
            current.remove(spot);
        } else {
            current.put(spot, taken);
        }
        return taken;
    }

    /**
     * Returns calls whose statement failed, with those for the same spot that have arrived since; none if all have
     * left.
     */
    List<RowCall> again(List<RowCall> failed) {
        lock.lock();
        try {
            RowCall.Spot spot = spot(failed.get(0));
            return current.containsKey(spot) ? take(spot, failed) : List.of();
        } finally {
            lock.unlock();
        }
    }

    /** Calls that were taken out are about to fail. The thread then comes for more. */
    void answered(List<RowCall> calls) {
        lock.lock();
        try {
            remove(calls);
        } finally {
            lock.unlock();
        }
    }

    /** The server has answered, or may have recovered unseen. */
    void recovered() {
        if (failingSince == null) {
            return;
        }
        lock.lock();
        try {
            failingSince = null;
            failure = NO_ANSWER;
            pause = FIRST_PAUSE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * After a failure, waits a moment before {@link #again}. Returns false if the calls must fail now.
     *
     * @param calls those that were taken out
     */
    boolean repeat(List<RowCall> calls, String why) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            failedLast = nanos.getAsLong();
            if (failingSince == null) {
                failingSince = failedLast;
                failure = why;
            }
            if (ended || isFailingFor(calls.get(0))) {
                return false;
            }
            long left = pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
            while (left > 0 && !ended) {
                left = over.awaitNanos(left);
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
            ready.signalAll();
            over.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.fail(closed(call.spot())));
    }

    /** Ends the waits of the calls that were taken out, too. */
    void drop() {
        end();
        List<RowCall> left = new ArrayList<>();
        lock.lock();
        try {
            current.values().forEach(left::addAll);
            current.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(call -> call.fail(closed(call.spot())));
    }
}
