package io.distributedid.snowflake;

import io.distributedid.IdUnavailableException;
import io.distributedid.WorkerStatistics;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number whose use is written down in a {@link StateFile}, so that no time is used twice even if the clock is set back while the
 * process is down.
 *
 * <p>The file is always ahead of the ids, by up to {@value #AHEAD_MILLIS} ms: it is written, and only then the window ends that late.
 * While ids are taken, a thread of its own does so {@value #PERIOD_MILLIS} ms after the last time, so that nobody waits for the disk; the
 * first id after a rest does. After a crash the next process begins where the file says, which is up to
 * {@value #AHEAD_MILLIS} ms ahead of the clock; a clean stop writes down what was used.
 */
final class StateFileWorker implements Worker {

    private static final Logger LOG = System.getLogger(StateFileWorker.class.getName());

    private static final long AHEAD_MILLIS = 1_000;

    private static final long PERIOD_MILLIS = 250;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final StateFile file;

    private final long number;

    private final InstantSource clock;

    private final boolean isFresh;

    private final Thread writer;

    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    private volatile Window window;

    /** Whether somebody looked at the window since it was last renewed. */
    private volatile boolean used;

    private long wanted;

    private long attempts;

    private @Nullable IOException failure;

    private boolean closed;

    private StateFileWorker(StateFile file, long number, InstantSource clock, OptionalLong unused) {
        this.file = file;
        this.number = number;
        this.clock = clock;
        isFresh = file.until().isPresent() || unused.isPresent();
        long from = isFresh ? Math.max(file.until().orElse(0), unused.orElse(0)) : clock.millis();
        window = new Window(number, from, from);
        writer = new Thread(this::write, "distributedid-state-file");
        writer.setDaemon(true);
    }

    /**
     * Begins where the file says. Takes the file over: it is closed by {@link #release}.
     *
     * @param unused the first id time that is unused for other reasons
     */
    static StateFileWorker start(StateFile file, long number, InstantSource clock, OptionalLong unused) {
        StateFileWorker worker = new StateFileWorker(file, number, clock, unused);
        worker.writer.start();
        return worker;
    }

    /** Refuses another owner than the file's. */
    void requireOwner(String owner) {
        file.requireOwner(owner);
    }

    @Override
    public Window window() {
        if (!used) {
            used = true;
        }
        return window;
    }

    @Override
    public boolean isFresh() {
        return isFresh;
    }

    /** Lets no window begin before {@code unused}. */
    void beginAt(long unused) {
        lock.lock();
        try {
            if (unused > window.from()) {
                window = new Window(number, unused, Math.max(unused, window.until()));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality")
    public Window await(Window spent, long time) {
        long left = PATIENCE_NANOS;
        lock.lock();
        try {
            long before = attempts;
            wanted = Math.max(wanted, time);
            changed.signalAll();
            while (window == spent) {
                if (closed) {
                    throw new IdUnavailableException("The source of ids is closed: worker=" + number);
                }
                IOException failed = failure;
                if (failed != null && attempts > before) {
                    throw new IdUnavailableException(unwritable() + failed, failed);
                }
                if (left <= 0) {
                    throw new IdUnavailableException(unwritable() + "the disk is silent");
                }
                left = changed.awaitNanos(left);
            }
            return window;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while waiting for the state file: " + file, e);
        } finally {
            lock.unlock();
        }
    }

    /** The window's end is of interest only while it can't be prolonged: it is when it is needed. */
    @Override
    public WorkerStatistics statistics(Instant now) {
        lock.lock();
        try {
            Optional<IOException> failed = Optional.ofNullable(failure);
            return new WorkerStatistics(
                    number,
                    now,
                    failed.map(e -> Instant.ofEpochMilli(window.until())),
                    Optional.empty(),
                    failed.map(e -> unwritable() + e));
        } finally {
            lock.unlock();
        }
    }

    private String unwritable() {
        return "The state file can't be written: " + file + ": ";
    }

    private void write() {
        lock.lock();
        try {
            while (!closed) {
                if (used || failure != null || wanted >= window.until()) {
                    used = false;
                    renew();
                }
                long unused = changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS));
            }
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "The thread that writes a state file was interrupted: {0}", file);
        } finally {
            lock.unlock();
        }
    }

    private void renew() {
        long until = Math.max(clock.millis(), wanted) + AHEAD_MILLIS;
        if (until <= window.until()) {
            return;
        }
        lock.unlock();
        IOException failed = null;
        try {
            file.write(until);
        } catch (IOException e) {
            failed = e;
        } finally {
            lock.lock();
        }
        if (failed == null) {
            window = new Window(number, window.from(), Math.max(until, window.from()));
        } else if (failure == null) {
            LOG.log(Level.WARNING, "A state file can't be written: " + file, failed);
        }
        failure = failed;
        attempts++;
        changed.signalAll();
    }

    /** The file says as much as it did: more than was used. */
    @Override
    public void abandon() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            writer.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A state file could not be closed: " + file, e);
        }
    }

    /** Writes {@code unused} down, so that the next process need not wait for a clock that is behind the file. */
    @Override
    public void release(long unused) {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            writer.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
            if (!writer.isAlive()) {
                file.write(unused);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A state file keeps a time that was not used: " + file, e);
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A state file could not be closed: " + file, e);
        }
    }
}
