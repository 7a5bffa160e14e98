package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A lock whose waits are those of a {@link World}. */
final class SimulatedLock extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    private final transient World world;

    private transient World.@Nullable Task owner;

    private int holds;

    SimulatedLock(World world) {
        this.world = world;
    }

    @Override
    public void lock() {
        take(false, Long.MAX_VALUE);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNoInterrupt();
        if (!take(true, Long.MAX_VALUE)) {
            throw interrupted();
        }
    }

    @Override
    public boolean tryLock() {
        if (owner != null && owner != world.current()) {
            return false;
        }
        owner = world.current();
        holds++;
        return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        requireNoInterrupt();
        if (take(true, unit.toNanos(time))) {
            return true;
        }
        requireNoInterrupt();
        return false;
    }

    private boolean take(boolean isInterruptible, long nanos) {
        if (!tryLock()) {
            boolean unused = world.await(() -> owner == null, nanos, isInterruptible);
            return tryLock();
        }
        return true;
    }

    private void requireNoInterrupt() throws InterruptedException {
        if (world.current().wasInterrupted()) {
            throw new InterruptedException();
        }
    }

    private InterruptedException interrupted() {
        boolean unused = world.current().wasInterrupted();
        return new InterruptedException();
    }

    /** At the end of a run, threads give up what they do not hold any more. */
    @Override
    public void unlock() {
        if (owner == world.current()) {
            holds--;
            if (holds == 0) {
                owner = null;
            }
        }
    }

    @Override
    public Condition newCondition() {
        return new Waiters();
    }

    private static final class Waiter {

        private boolean isSignalled;
    }

    private final class Waiters implements Condition {

        private final List<Waiter> all = new ArrayList<>();

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            requireNoInterrupt();
            long end = world.now() + Math.max(0, nanos);
            boolean unused = await(nanos, true);
            requireNoInterrupt();
            return nanos == Long.MAX_VALUE ? nanos : end - world.now();
        }

        private boolean await(long nanos, boolean isInterruptible) {
            Waiter self = new Waiter();
            all.add(self);
            int held = holds;
            World.Task task = Objects.requireNonNull(owner);
            holds = 0;
            owner = null;
            try {
                boolean signalled = world.await(() -> self.isSignalled, Math.max(0, nanos), isInterruptible);
                if (owner != null) {
                    boolean unused = world.await(() -> owner == null, Long.MAX_VALUE, false);
                }
                return signalled;
            } finally {
                all.remove(self);
                owner = task;
                holds = held;
            }
        }

        @Override
        public void await() throws InterruptedException {
            long unused = awaitNanos(Long.MAX_VALUE);
        }

        @Override
        public void awaitUninterruptibly() {
            boolean unused = await(Long.MAX_VALUE, false);
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            return awaitNanos(unit.toNanos(time)) > 0;
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException("The library does not use it");
        }

        @Override
        public void signal() {
            all.stream().filter(each -> !each.isSignalled).findFirst().ifPresent(each -> each.isSignalled = true);
        }

        @Override
        public void signalAll() {
            all.forEach(each -> each.isSignalled = true);
        }
    }
}
