package io.distributedid.internal.keyed.row;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for the database, in a line for each {@link Spot}. Several threads take lines, never two the same
 * one: the second would wait for the lock of its row. Lines of numbers go together; they take turns in the order of
 * their first waiting call.
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

    /** What is asked for: numbers of a key, or its last one. Calls with equal spots share one statement. */
    record Spot(RowKey row, boolean isRead) {

        /** For messages. */
        @Override
        public String toString() {
            return row.toString();
        }
    }

    /** A caller that waits. */
    private record Call(long count, long began, Duration timeout, CompletableFuture<Long> answer) {}

    /** The calls for one spot, in the order of their arrival. */
    static final class Line {

        private final Spot spot;

        /** Guarded by the queue's lock, as the flags. */
        private final List<Call> calls = new ArrayList<>();

        private boolean isTaken;

        /** Whether it is served without others: together with them it got no number. */
        private boolean isAlone;

        /** Those that share the current statement. For the thread that has taken the line. */
        private List<Call> sharing = List.of();

        Line(Spot spot) {
            this.spot = spot;
        }

        Spot spot() {
            return spot;
        }

        /** How many numbers the current statement is to take. */
        long count() {
            return sharing.stream().mapToLong(Call::count).sum();
        }

        /** For each sharing call, a line of its own. */
        List<Line> single() {
            return sharing.stream()
                    .map(call -> {
                        Line single = new Line(spot);
                        single.sharing = List.of(call);
                        return single;
                    })
                    .toList();
        }

        /** @param last the last of the numbers that were taken, or of the key */
        void answer(long last) {
            long given = last - count();
            for (Call call : sharing) {
                given += call.count;
                call.answer.complete(given);
            }
        }

        void fail(DistributedIdException why) {
            sharing.forEach(call -> call.answer.completeExceptionally(why));
        }
    }

    private final Platform platform;

    private final ReentrantLock lock;

    /** A line can be taken, or the queue has ended. */
    private final Condition ready;

    private final Condition over;

    // The lock guards the fields from here on.

    /** Those that are taken, or wait for that. */
    private final Map<Spot, Line> lines = new LinkedHashMap<>();

    /** How many threads wait for a line. */
    private int idle;

    private boolean ended;

    /** When the first failure since the last success was; null after a success. Read without the lock too. */
    private volatile @Nullable Long failingSince;

    private long failedLast;

    /** The first failure since the last success. */
    private String failure = NO_ANSWER;

    private long pause = FIRST_PAUSE;

    RowQueue(Platform platform) {
        this.platform = platform;
        lock = platform.lock();
        ready = lock.newCondition();
        over = lock.newCondition();
    }

    /**
     * Adds a call. Throws if the queue has ended, or an outage lasts and another call waits for its end.
     *
     * @param count 0 to read
     * @param began when the caller began
     */
    Pending<Long> add(Spot spot, long count, long began, Duration timeout) {
        Call call = new Call(count, began, timeout, new CompletableFuture<>());
        lock.lock();
        try {
            if (ended) {
                throw closed(spot);
            }
            // A thread that waits tries another key at once: perhaps the row of the one that fails is locked.
            boolean isTried = lines.containsKey(spot) || (!lines.isEmpty() && idle == 0);
            if (lines.isEmpty() && platform.nanoTime() - failedLast > LONGEST_PAUSE) {
                recovered();
            }
            if (isTried && isFailingFor(call)) {
                throw new IdUnavailableException(Pages.withOneRow(
                        "No number can be issued: " + spot + ". " + failure + Pages.onCall("keyed-late")));
            }
            Line line = lines.computeIfAbsent(spot, Line::new);
            line.calls.add(call);
            if (!line.isTaken) {
                ready.signal();
            }
            return new Pending<>(call.answer, () -> leave(line, call));
        } finally {
            lock.unlock();
        }
    }

    private boolean isFailingFor(Call call) {
        Long since = failingSince;
        return since != null && platform.nanoTime() - since > call.timeout.toNanos();
    }

    /** Whether it has its answer, or the time of its caller is over. */
    private boolean isOver(Call call) {
        return call.answer.isDone() || platform.nanoTime() - call.began >= call.timeout.toNanos();
    }

    private static IdUnavailableException closed(Spot spot) {
        return new IdUnavailableException("The source of ids is closed: " + spot);
    }

    /** The time of a call is over. It is forgotten: while a server hangs, calls would add up. */
    private void leave(Line line, Call call) {
        if (call.answer.isDone()) {
            return;
        }
        String why;
        lock.lock();
        try {
            why = failure;
            line.calls.remove(call);
            if (line.calls.isEmpty() && !line.isTaken) {
                lines.remove(line.spot, line);
            }
        } finally {
            lock.unlock();
        }
        call.answer.completeExceptionally(new IdUnavailableException(Pages.withOneRow("No number within "
                + call.timeout.toMillis() + " ms (distributedid.block.timeout): " + line.spot + ". " + why
                + Pages.onCall("keyed-late"))));
    }

    /**
     * Waits for calls, and takes the lines that are to be served together: one, or those of numbers. None once ended.
     * The thread must {@link #join} them before each statement, and {@link #release} them in the end.
     */
    List<Line> next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            List<Line> free = free();
            while (!ended && free.isEmpty()) {
                idle++;
                try {
                    ready.await();
                } finally {
                    idle--;
                }
                free = free();
            }
            if (ended) {
                return List.of();
            }
            free.forEach(line -> line.isTaken = true);
            if (notTaken().findFirst().isPresent()) {
                ready.signal();
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** The first line that no thread has; with others, unless it goes alone. */
    private List<Line> free() {
        Optional<Line> first = notTaken().findFirst();
        return first.isEmpty() || goesAlone(first.get())
                ? first.stream().toList()
                : notTaken()
                        .filter(line -> !goesAlone(line))
                        .limit(MOST_TOGETHER)
                        .toList();
    }

    private Stream<Line> notTaken() {
        return lines.values().stream().filter(line -> !line.isTaken);
    }

    private static boolean goesAlone(Line line) {
        return line.spot.isRead || line.isAlone;
    }

    /**
     * Lets all calls share the next statement that have arrived by now. Returns the lines that have any, and releases
     * the others.
     */
    List<Line> join(Collection<Line> taken) {
        List<Line> joined = new ArrayList<>();
        lock.lock();
        try {
            for (Line line : taken) {
                line.calls.removeIf(this::isOver);
                line.sharing = List.copyOf(line.calls);
                if (line.sharing.isEmpty()) {
                    free(line, false);
                } else {
                    joined.add(line);
                }
            }
        } finally {
            lock.unlock();
        }
        return joined;
    }

    /** The thread then comes for more. */
    void fail(Line line, DistributedIdException why) {
        // Another thread may have the line in a moment.
        List<Call> failed = line.sharing;
        release(List.of(line));
        failed.forEach(call -> call.answer.completeExceptionally(why));
    }

    /** The sharing calls of these lines are answered, or about to fail. */
    void release(Collection<Line> taken) {
        lock.lock();
        try {
            for (Line line : taken) {
                line.calls.removeAll(new HashSet<>(line.sharing));
                free(line, false);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lines that were served together, and got no number: each is served alone, by any thread. */
    void separate(Collection<Line> taken) {
        lock.lock();
        try {
            taken.forEach(line -> free(line, true));
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Its waiting calls come after those of other lines. */
    private void free(Line line, boolean isAlone) {
        line.isTaken = false;
        line.isAlone = isAlone;
        lines.remove(line.spot);
        if (!line.calls.isEmpty()) {
            lines.put(line.spot, line);
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

    /** After a failure, waits a moment before the statement is repeated. Returns false if the calls must fail now. */
    boolean repeat(Collection<Line> taken, String why) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            failedLast = platform.nanoTime();
            if (failingSince == null) {
                failingSince = failedLast;
                failure = why;
            }
            if (ended || taken.stream().flatMap(line -> line.sharing.stream()).allMatch(this::isFailingFor)) {
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

    /**
     * Refuses calls from now on, and ends the waits of those that share no current statement.
     *
     * @param isDrop whether to end those that do, too
     */
    void end(boolean isDrop) {
        Map<Call, Spot> left = new LinkedHashMap<>();
        lock.lock();
        try {
            ended = true;
            for (Line line : lines.values()) {
                Set<Call> current = isDrop || !line.isTaken ? Set.of() : new HashSet<>(line.sharing);
                line.calls.stream().filter(call -> !current.contains(call)).forEach(call -> left.put(call, line.spot));
            }
            ready.signalAll();
            over.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach((call, spot) -> call.answer.completeExceptionally(closed(spot)));
    }
}
