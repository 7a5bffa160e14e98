package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs real code on real threads, of which one at a time has the baton, in virtual time. At each step a thread may hand
 * it over; a seed decides whether and to whom, and everything else that is left open. So the same seed gives the same
 * run.
 *
 * <p>Threads must wait through {@link Host} only. A thread that waits in another way keeps the baton: after a minute
 * the stacks of all threads are in the failure.
 *
 * <p>Work that has not begun has no thread yet: the one that ends goes on with it. The class is long since all that
 * decides who is next is in it.
 */
final class World {

    /** Ends a thread of a world that is over. */
    static final class Killed extends Error {

        private static final long serialVersionUID = 1L;

        Killed() {
            super("The run is over", null, false, false);
        }
    }

    private static final int MOST_STEPS = 100_000;

    /** How often a thread that is ended may catch that and go on. */
    private static final int MOST_ENDS = 1_000;

    private static final long NEVER = Long.MAX_VALUE;

    private static final long REAL_SECONDS = 60;

    /** A thread may stand still for a moment, at any step. Others get far then. */
    private static final int LAG_ONE_IN = 150;

    private static final long LONGEST_LAG = 20_000_000;

    private static final BooleanSupplier NOT_BEFORE_ITS_TIME = () -> false;

    /** What happened when, to whom. */
    private record Entry(long nanos, @Nullable Task task, String what) {

        @Override
        public String toString() {
            return String.format("%,12d us  %-28s %s", nanos / 1_000, task == null ? "" : task, what);
        }
    }

    /** A thread of a host. */
    final class Task {

        private final Host host;

        private final String name;

        private final Runnable work;

        private final Baton baton = new Baton();

        /** Null while it runs or could run. */
        private @Nullable BooleanSupplier condition;

        private long deadline;

        private boolean isInterruptible;

        private boolean isInterrupted;

        private int ends;

        Task(Host host, String name, Runnable work) {
            this.host = host;
            this.name = name;
            this.work = work;
        }

        Host host() {
            return host;
        }

        void interrupt() {
            isInterrupted = true;
        }

        /** Whether it was interrupted, which is forgotten. */
        boolean wasInterrupted() {
            boolean was = isInterrupted | Thread.interrupted();
            isInterrupted = false;
            return was;
        }

        private boolean canRun() {
            return !host.isKilled()
                    && host.pausedUntil() <= now
                    && (condition == null
                            || deadline <= now
                            || (isInterruptible && isInterrupted)
                            || condition.getAsBoolean());
        }

        /** When it may run, by time alone. What it waits for may have come while its host stood still. */
        private long due() {
            if (host.isKilled()) {
                return NEVER;
            }
            return host.pausedUntil() > now || condition == null ? host.pausedUntil() : deadline;
        }

        private void give() {
            baton.give(() -> runFrom(this));
        }

        private void run() {
            baton.begin();
            condition = null;
            try {
                work.run();
            } catch (Killed e) {
                // The end of the run.
            } catch (Throwable e) {
                failed(e);
            } finally {
                boolean unused = Thread.interrupted();
            }
        }

        @Override
        public String toString() {
            return host + " " + name;
        }
    }

    private final SplittableRandom random;

    private final int switchOneIn;

    /** Those that are not over, in the order of their start. */
    private final List<Task> tasks = new ArrayList<>();

    private final @Nullable List<Entry> log;

    private final Semaphore over = new Semaphore(0);

    private @Nullable Task main;

    private @Nullable Task current;

    private @Nullable Throwable failure;

    private boolean isEnding;

    private long now;

    private int steps;

    private int switches;

    private int tokens;

    /**
     * @param switchOneIn how often a thread that could go on hands the baton over: once in so many steps
     * @param isLogged whether to keep what happens in words
     */
    World(long seed, int switchOneIn, boolean isLogged) {
        this.random = new SplittableRandom(seed);
        this.switchOneIn = switchOneIn;
        this.log = isLogged ? new ArrayList<>() : null;
    }

    /** Runs the work on a host, with all threads that it starts, until it is over. Throws what one of them threw. */
    void run(Host host, Runnable work) {
        Task first = start(host, "main", work);
        main = first;
        current = first;
        first.give();
        awaitOver();
        isEnding = true;
        for (Task each : List.copyOf(tasks)) {
            if (each.baton.hasBegun()) {
                current = each;
                each.give();
                awaitOver();
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw new AssertionError("A thread of the run failed", failure);
        }
    }

    private void awaitOver() {
        try {
            int before = steps;
            while (!over.tryAcquire(REAL_SECONDS, TimeUnit.SECONDS)) {
                // Read without the baton: it matters only whether they grow.
                if (steps == before) {
                    throw Stalled.withStacks("A thread waits for something that the world does not know: " + current);
                }
                before = steps;
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted", e);
        }
    }

    /** Starts a thread, which runs as soon as it gets the baton. */
    Task start(Host host, String name, Runnable work) {
        Task task = new Task(host, name, work);
        if (!isEnding) {
            tasks.add(task);
        }
        return task;
    }

    /** Starts a thread after a time. */
    void startAfter(long nanos, Host host, String name, Runnable work) {
        Task task = start(host, name, work);
        task.condition = NOT_BEFORE_ITS_TIME;
        task.deadline = nanos > NEVER - now ? NEVER : now + nanos;
    }

    private void failed(Throwable e) {
        if (failure == null) {
            failure = e;
        }
    }

    private void runFrom(Task first) {
        Task task = first;
        while (task != null) {
            task.run();
            task = end(task);
        }
    }

    /** Returns the next thread if it has not begun. The run is over with the first one, or with a failure. */
    private @Nullable Task end(Task ended) {
        tasks.remove(ended);
        if (isEnding || failure != null || ended == main) {
            over.release();
            return null;
        }
        try {
            Task next = pick();
            current = next;
            if (!next.baton.hasBegun()) {
                return next;
            }
            next.give();
        } catch (Stalled e) {
            failed(e);
            over.release();
        }
        return null;
    }

    Task current() {
        return Objects.requireNonNull(current);
    }

    /** At most {@code bound - 1}. */
    int random(int bound) {
        return random.nextInt(bound);
    }

    long random(long least, long bound) {
        return random.nextLong(least, bound);
    }

    /** True once in {@code times}. */
    boolean once(int times) {
        return random.nextInt(times) == 0;
    }

    /** Another one at each call. */
    String token() {
        tokens++;
        return "token" + tokens;
    }

    long now() {
        return now;
    }

    void log(Supplier<String> what) {
        if (log != null) {
            log.add(new Entry(now, current, what.get()));
        }
    }

    List<String> log() {
        return log == null ? List.of() : log.stream().map(Entry::toString).toList();
    }

    int steps() {
        return steps;
    }

    int switches() {
        return switches;
    }

    /** Others may come in between; {@code nanos} pass. */
    void step(long nanos) {
        Task self = current();
        requireGoing(self);
        now += nanos;
        steps++;
        if (steps > MOST_STEPS) {
            throw new Stalled("The run takes more than " + MOST_STEPS + " steps");
        }
        if (random.nextInt(LAG_ONE_IN) == 0) {
            sleep(random.nextLong(LONGEST_LAG));
        } else if (random.nextInt(switchOneIn) == 0 || !self.canRun()) {
            handOver(self);
        }
    }

    /**
     * Waits until the condition holds, or a time has passed, or the thread is interrupted if that is allowed.
     *
     * @return whether the condition holds
     */
    boolean await(BooleanSupplier condition, long nanos, boolean isInterruptible) {
        Task self = current();
        requireGoing(self);
        steps++;
        self.condition = condition;
        self.deadline = nanos > NEVER - now ? NEVER : now + nanos;
        self.isInterruptible = isInterruptible;
        try {
            handOver(self);
        } finally {
            self.condition = null;
        }
        return condition.getAsBoolean();
    }

    /** Waits for what must become true. */
    void require(BooleanSupplier condition, long nanos, String what) {
        if (!await(condition, nanos, false)) {
            throw new Judge.Verdict(what);
        }
    }

    /**
     * Plays parts, each on a thread of its own, until all have ended.
     *
     * @param at when a part begins, in milliseconds
     */
    <P> void play(List<P> parts, ToIntFunction<P> at, Consumer<P> play, long longest) {
        int[] left = {parts.size()};
        for (P each : parts) {
            startAfter(at.applyAsInt(each) * 1_000_000L, new Host(this, "fate"), each.toString(), () -> {
                play.accept(each);
                left[0]--;
            });
        }
        require(() -> left[0] == 0, longest, "The run does not end");
    }

    /** Lets time pass. */
    void sleep(long nanos) {
        boolean unused = await(NOT_BEFORE_ITS_TIME, nanos, false);
    }

    private void requireGoing(Task self) {
        if (isEnding) {
            self.ends++;
            if (self.ends > MOST_ENDS) {
                throw new StackOverflowError("A thread does not end: " + self);
            }
            throw new Killed();
        }
    }

    private void handOver(Task self) {
        Task next = pick();
        if (next == self) {
            return;
        }
        current = next;
        switches++;
        next.give();
        self.baton.await();
        requireGoing(self);
    }

    /** A thread that can run; if there is none, time passes until there is one. */
    private Task pick() {
        while (true) {
            int found = 0;
            Task chosen = null;
            for (int i = 0; i < tasks.size(); i++) {
                Task each = tasks.get(i);
                if (each.canRun()) {
                    found++;
                    if (random.nextInt(found) == 0) {
                        chosen = each;
                    }
                }
            }
            if (chosen != null) {
                return chosen;
            }
            long due = NEVER;
            for (int i = 0; i < tasks.size(); i++) {
                due = Math.min(due, tasks.get(i).due());
            }
            if (due == NEVER) {
                throw new Stalled("All threads wait for each other: " + tasks);
            }
            now = Math.max(now, due);
        }
    }
}
