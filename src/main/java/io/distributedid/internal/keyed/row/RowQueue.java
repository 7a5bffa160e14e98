package io.distributedid.internal.keyed.row;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for the database. Those of one spot go together, and so do spots of numbers; they take turns in
 * the order of their first waiting call. Several threads take calls out, never two for one spot: the second would wait
 * for the lock of its row. Calls whose statement failed stay with their thread, which takes those for the same spots
 * that have arrived since.
 *
 * <p>Remembers how long statements have failed. While that is longer than the time of a caller, only one call waits,
 * and the others fail at once. Forgets it once no call has tried for {@link #LONGEST_PAUSE}: the server may be back.
 * Thread-safe.
 */
final class RowQueue {

    private static final String NO_ANSWER = "The server has not answered yet";

    /** Beyond it, statements would become long, and locks be held for long. */
    private static final int MOST_TOGETHER = 64;

    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofMillis(500).toNanos();

    private final LongSupplier nanos;

    private final ReentrantLock lock = new ReentrantLock();

    /** A spot can be taken out, or the queue has ended. */
    private final Condition ready = lock.newCondition();

    private final Condition over = lock.newCondition();

    // The lock guards the fields from here on.

    private final Map<RowCall.Spot, List<RowCall>> waiting = new LinkedHashMap<>();

    /** The calls that were taken out and are not answered yet. */
    private final Map<RowCall.Spot, List<RowCall>> current = new HashMap<>();

    /** Those that are taken out one by one: together with others they got no number. */
    private final Set<RowCall.Spot> alone = new HashSet<>();

    private boolean ended;

    /** When the first failure since the last success was; null after a success. Read without the lock too. */
    private volatile @Nullable Long failingSince;

    private long failedLast;

    /** The first failure since the last success. */
    private String failure = NO_ANSWER;

    private long pause = FIRST_PAUSE;

    RowQueue() {
        this(System::nanoTime);
    }

    RowQueue(LongSupplier nanos) {
        this.nanos = nanos;
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
            waiting.computeIfAbsent(call.spot(), spot -> new ArrayList<>()).add(call);
            if (!current.containsKey(call.spot())) {
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
            List<RowCall> calls = waiting.get(call.spot());
            if (calls != null && calls.remove(call) && calls.isEmpty()) {
                waiting.remove(call.spot());
                alone.remove(call.spot());
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
     * Waits for calls, and returns those of one spot, or those for numbers of several; none once ended, or if all have
     * left. They are answered by the thread's next call of this method, or by {@link #answered}; or they are taken
     * again by {@link #again}, or {@link #separate}.
     *
     * @param answered what the thread has taken out and answered
     */
    Map<RowCall.Spot, List<RowCall>> next(Map<RowCall.Spot, List<RowCall>> answered) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            answered.forEach(this::remove);
            List<RowCall.Spot> free = free();
            while (!ended && free.isEmpty()) {
                ready.await();
                free = free();
            }
            Map<RowCall.Spot, List<RowCall>> taken = take(free, Map.of());
            if (notTaken().findFirst().isPresent()) {
                ready.signal();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** The first spot that no thread has; with others, unless it goes alone. */
    private List<RowCall.Spot> free() {
        Optional<RowCall.Spot> first = notTaken().findFirst();
        return first.isEmpty() || isAlone(first.get())
                ? first.stream().toList()
                : notTaken().filter(spot -> !isAlone(spot)).limit(MOST_TOGETHER).toList();
    }

    private Stream<RowCall.Spot> notTaken() {
        return waiting.keySet().stream().filter(spot -> !current.containsKey(spot));
    }

    private boolean isAlone(RowCall.Spot spot) {
        return spot.isRead() || alone.contains(spot);
    }

    private Map<RowCall.Spot, List<RowCall>> take(
            Collection<RowCall.Spot> spots, Map<RowCall.Spot, List<RowCall>> before) {
        Map<RowCall.Spot, List<RowCall>> taken = new LinkedHashMap<>();
        for (RowCall.Spot spot : spots) {
            List<RowCall> calls = new ArrayList<>(before.getOrDefault(spot, List.of()));
            calls.addAll(waiting.getOrDefault(spot, List.of()));
            waiting.remove(spot);
            calls.removeIf(RowCall::isOver);
            if (calls.isEmpty()) {
                current.remove(spot);
                alone.remove(spot);
            } else {
                current.put(spot, calls);
                taken.put(spot, calls);
            }
        }
        return taken;
    }

    /**
     * Returns calls whose statement failed, with those for the same spots that have arrived since; none if all have
     * left.
     */
    Map<RowCall.Spot, List<RowCall>> again(Map<RowCall.Spot, List<RowCall>> failed) {
        lock.lock();
        try {
            return take(failed.keySet().stream().filter(current::containsKey).toList(), failed);
        } finally {
            lock.unlock();
        }
    }

    /** Calls that were taken out together, and got no number: each spot is served alone, by any thread. */
    void separate(Map<RowCall.Spot, List<RowCall>> calls) {
        lock.lock();
        try {
            calls.forEach((spot, taken) -> {
                // After the end, they wait for the drop.
                if (!ended && current.remove(spot, taken)) {
                    List<RowCall> all = new ArrayList<>(taken);
                    all.addAll(waiting.getOrDefault(spot, List.of()));
                    waiting.put(spot, all);
                    alone.add(spot);
                }
            });
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Calls of a spot that were taken out are about to fail. The thread then comes for more. */
    void answered(RowCall.Spot spot, List<RowCall> calls) {
        lock.lock();
        try {
            remove(spot, calls);
        } finally {
            lock.unlock();
        }
    }

    /** Another thread may have the same spot by now. */
    private void remove(RowCall.Spot spot, List<RowCall> answered) {
        if (current.remove(spot, answered)) {
            alone.remove(spot);
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
    boolean repeat(Map<RowCall.Spot, List<RowCall>> calls, String why) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            failedLast = nanos.getAsLong();
            if (failingSince == null) {
                failingSince = failedLast;
                failure = why;
            }
            if (ended || calls.values().stream().flatMap(List::stream).allMatch(this::isFailingFor)) {
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
            alone.clear();
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
