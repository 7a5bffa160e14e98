package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceListener;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.block.FetchHistory;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens sequences, and keeps them through all {@link Lives}: each is opened again in the next one, at once or by its next caller.
 * Thread-safe. It alone tells listeners, and is told to suspend, to resume and to close.
 */
final class OpenSequences implements Checkpoints.Target, AutoCloseable {

    private static final Logger LOG = System.getLogger(OpenSequences.class.getName());

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A sequence, and what callers keep of it. */
    record Open(Sequence sequence, SteadySource source) {}

    /**
     * A sequence that may be open or not, in the life in use.
     *
     * @param source null if it is not open
     */
    record Configured(
            Sequence sequence, Backend backend, @Nullable IdSource source) {}

    /**
     * @param nanos when
     * @param since when callers began to wait in vain
     */
    record Failure(String said, long nanos, long since) {

        /** Whether the next call will fail the same way, as far as anybody can tell. */
        boolean isFresh() {
            return System.nanoTime() - nanos < FRESH_NANOS;
        }
    }

    private final Settings settings;

    private final BackendProviders providers;

    private final Lives lives;

    private final TokenCheck tokens;

    private final Map<String, Open> open = new ConcurrentHashMap<>();

    /** What servers said when a sequence was to be opened, and none answered. */
    private final Map<String, Failure> failures = new ConcurrentHashMap<>();

    /** Those whose servers were waited for in vain until now. */
    private final Set<String> awaited = ConcurrentHashMap.newKeySet();

    private final ReentrantLock telling = new ReentrantLock();

    /** Guarded by its own lock. */
    private final List<SequenceListener> listeners = new ArrayList<>();

    /** Guarded by its own lock. */
    private boolean told;

    /** Kept, so that they are told as long as anybody holds a source of ids. */
    @SuppressWarnings("UnusedVariable")
    private volatile List<Object> checkpoints = List.of();

    OpenSequences(
            Settings settings,
            BackendProviders providers,
            InstantSource clock,
            Optional<ConnectionAccess> ownDatabase,
            TokenCheck tokens) {
        this.settings = settings;
        this.providers = providers;
        this.tokens = tokens;
        lives = new Lives(before -> new Life(clock, ownDatabase, before));
    }

    /** From now on they are suspended before this process is written down, and resumed when it is restored. */
    void registerWithCheckpoints() {
        checkpoints = Checkpoints.registerWithAll(this);
    }

    /** Those that are open, or could not be opened for want of servers. */
    NavigableSet<String> names() {
        NavigableSet<String> names = new TreeSet<>(open.keySet());
        names.addAll(failures.keySet());
        return names;
    }

    @Nullable
    Open find(String name) {
        return open.get(name);
    }

    /** Why a sequence could not be opened, at first or again; null if it could, or nobody tried. */
    @Nullable
    Failure failure(String name) {
        return failures.get(name);
    }

    boolean isClosed() {
        return lives.isClosed();
    }

    boolean isSuspended() {
        return lives.isSuspended();
    }

    /** See {@link Sequences#open}. */
    Open opened(String name, long maxValue, String usedBy) {
        Open found = open.get(name);
        if (found == null) {
            Sequence sequence = new Sequence(name, maxValue, usedBy, settings.forSequence(name));
            found = openedPatiently(sequence, System.nanoTime());
        }
        if (found.sequence.maxValue() > maxValue) {
            throw new IdConfigurationException(
                    "All users of a sequence must store ids of the same width: " + found.sequence
                            + " stores up to " + found.sequence.maxValue() + ", " + usedBy + " up to " + maxValue
                            + ". Give one of them another sequence, or map both to the same type");
        }
        return found;
    }

    /** What is behind a source in the life in use: waits for it, and opens it again, if need be. */
    SteadySource.Held held(SteadySource source, long began) {
        SteadySource.Held held = source.held;
        while (held == null) {
            openedPatiently(source.sequence(), began);
            held = source.held;
        }
        return held;
    }

    /** Open, after a wait for servers that do not answer: see {@link OpeningWait}. No lock is held in the pauses. */
    private Open openedPatiently(Sequence sequence, long began) {
        OpeningWait wait = new OpeningWait(sequence, began, failures.get(sequence.name()));
        while (true) {
            try {
                return inLife(sequence, began, life -> openIn(life, sequence, wait));
            } catch (IdUnavailableException e) {
                pause(sequence, wait.pauseAfter(e), e);
            }
        }
    }

    private void pause(Sequence sequence, long nanos, IdUnavailableException failure) {
        if (awaited.add(sequence.name())) {
            LOG.log(
                    Level.WARNING,
                    "A sequence can't be opened yet, and is tried again until "
                            + DistributedIdSettings.BLOCK_TIMEOUT + " is over: " + sequence + ". "
                            + failure.getMessage());
        }
        try {
            lives.pause(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    "Interrupted while waiting for servers that do not answer: " + sequence + ". "
                            + failure.getMessage(),
                    failure);
        }
    }

    /** Open, in the life in use. */
    Configured live(String name, String usedBy) {
        Open found = opened(name, Long.MAX_VALUE, usedBy);
        SteadySource.Held held = held(found.source, System.nanoTime());
        return new Configured(found.sequence, held.backend(), held.source());
    }

    /** Works in the life in use, once there is one; begins again in the next one if it ends meanwhile. */
    private <T> T inLife(Sequence sequence, long began, Function<Life, T> work) {
        while (true) {
            Life life = lives.await(sequence, began);
            try {
                return work.apply(life);
            } catch (DistributedIdException e) {
                if (lives.isCurrent(life)) {
                    throw e;
                }
            }
        }
    }

    private Life.Running running(Life life, Sequence sequence) {
        return life.running(providers.named(sequence.settings(), sequence.usedBy()), sequence);
    }

    private Open openIn(Life life, Sequence sequence, OpeningWait wait) {
        Life.Running running = running(life, sequence);
        lock(running.opening(), sequence, wait);
        try {
            requireUsable(life, sequence);
            Open found = open.get(sequence.name());
            if (found != null && found.source.held != null) {
                return found;
            }
            requireTime(sequence, wait);
            requireShardIfSaid(sequence, running.backend());
            IdSource source = source(life, sequence, running.backend(), wait);
            SteadySource.Held held = new SteadySource.Held(running.backend(), source);
            Open opened = found == null ? new Open(sequence, SteadySource.like(source, sequence, this)) : found;
            attach(life, opened, held);
            return opened;
        } finally {
            running.opening().unlock();
        }
    }

    /** Callers of a sequence that is opened again wait no longer than for a block, each. */
    private void lock(ReentrantLock opening, Sequence sequence, OpeningWait wait) {
        Failure last = failures.get(sequence.name());
        if (last != null && wait.isOver()) {
            if (!opening.tryLock()) {
                throw new IdUnavailableException(last.said);
            }
            return;
        }
        if (!open.containsKey(sequence.name())) {
            opening.lock();
            return;
        }
        Duration timeout = BlockPolicy.of(sequence.settings()).timeout();
        try {
            if (!opening.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IdUnavailableException("The sequence is still being opened again: " + sequence + ", waited "
                        + timeout.toMillis() + " ms (" + DistributedIdSettings.BLOCK_TIMEOUT + ")");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while a sequence is opened again: " + sequence, e);
        }
    }

    private void requireUsable(Life life, Sequence sequence) {
        if (lives.isClosed() || !lives.isCurrent(life)) {
            throw Lives.closed(sequence.toString());
        }
    }

    /** Whoever waited for another caller's attempts until its own time was over makes none. */
    private void requireTime(Sequence sequence, OpeningWait wait) {
        Failure last = failures.get(sequence.name());
        if (last != null && wait.isOver() && wait.isNews(last.nanos)) {
            throw new IdUnavailableException(last.said);
        }
    }

    private IdSource source(Life life, Sequence sequence, Backend backend, OpeningWait wait) {
        try {
            IdSource source = backend.open(sequence);
            compareToken(life, sequence, backend, source);
            failures.remove(sequence.name());
            if (awaited.remove(sequence.name())) {
                LOG.log(Level.INFO, "The sequence is open at last: {0}", sequence);
            }
            return source;
        } catch (IdUnavailableException e) {
            if (lives.isCurrent(life)) {
                failures.put(sequence.name(), new Failure(FetchHistory.messageOf(e), System.nanoTime(), wait.began()));
            }
            throw e;
        }
    }

    private void compareToken(Life life, Sequence sequence, Backend backend, IdSource source) {
        boolean isGood = false;
        try {
            tokens.check(sequence, backend);
            isGood = true;
        } finally {
            if (!isGood && source instanceof BlockBuffer buffer) {
                // Each attempt to open the sequence makes one.
                life.close(buffer);
            }
        }
    }

    /** Listeners are told when a sequence is opened for the first time. */
    private void attach(Life life, Open opened, SteadySource.Held held) {
        String name = opened.sequence.name();
        telling.lock();
        try {
            boolean isNew = !open.containsKey(name);
            boolean attached = lives.attach(life, () -> {
                opened.source.held = held;
                open.put(name, opened);
            });
            if (!attached) {
                throw Lives.closed(opened.sequence.toString());
            }
            if (isNew) {
                listeners.forEach(listener -> tell(listener, each -> each.opened(name)));
            }
        } finally {
            telling.unlock();
        }
    }

    /** Who only watches must not keep ids from being given. */
    private static void tell(SequenceListener listener, Consumer<SequenceListener> what) {
        try {
            what.accept(listener);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "A listener failed: " + listener.getClass().getName(), e);
        }
    }

    /** Tells it at once of those that are open. */
    void add(SequenceListener listener) {
        telling.lock();
        try {
            if (!told) {
                new TreeSet<>(open.keySet()).forEach(listener::opened);
                listeners.add(listener);
            }
        } finally {
            telling.unlock();
        }
    }

    /** Ids without a shard would be taken for ids with one. */
    private static void requireShardIfSaid(Sequence sequence, Backend backend) {
        Settings own = sequence.settings();
        Optional<String> from = own.text(DistributedIdSettings.SHARD_FROM);
        if (from.isPresent() && backend.shard(sequence).isEmpty()) {
            throw own.invalid(
                    DistributedIdSettings.SHARD_FROM,
                    from.get(),
                    "nothing, since the ids of " + sequence + " carry no shard: leave "
                            + DistributedIdSettings.SEQUENCE_PREFIX + sequence.name()
                            + ".shard.from empty, or choose a layout with a shard");
        }
    }

    /** Opens nothing, but may start the backend. */
    Configured configured(String name, long maxValue, String usedBy) {
        Open found = open.get(name);
        SteadySource.Held held = found == null ? null : found.source.held;
        if (found != null && held != null) {
            return new Configured(found.sequence, held.backend(), held.source());
        }
        Sequence sequence =
                found == null ? new Sequence(name, maxValue, usedBy, settings.forSequence(name)) : found.sequence;
        return inLife(
                sequence,
                System.nanoTime(),
                life -> new Configured(sequence, running(life, sequence).backend(), null));
    }

    /** What its backend finds; empty if it has no check of its own. */
    List<Finding> check(String name) {
        Sequence sequence = configured(name, Long.MAX_VALUE, "check").sequence;
        return inLife(sequence, System.nanoTime(), life -> checkIn(life, sequence));
    }

    private List<Finding> checkIn(Life life, Sequence sequence) {
        Life.Running running = running(life, sequence);
        running.opening().lock();
        try {
            requireUsable(life, sequence);
            requireShardIfSaid(sequence, running.backend());
            return running.backend().check(sequence);
        } finally {
            running.opening().unlock();
        }
    }

    /** See {@link Sequences#suspend}. */
    @Override
    public void suspend() {
        if (lives.suspend(() -> open.values().forEach(each -> each.source.held = null))) {
            LOG.log(Level.INFO, "Ids are suspended: what this process held of them is dropped");
        }
    }

    /** See {@link Sequences#resume}. */
    @Override
    public void resume() {
        Life life = lives.resume();
        if (life == null) {
            return;
        }
        LOG.log(Level.INFO, "Ids are given again: all that is needed for them is taken anew");
        DistributedIdException refusal = null;
        for (Open each : open.values()) {
            try {
                openIn(life, each.sequence, new OpeningWait(each.sequence, System.nanoTime(), null));
            } catch (IdUnavailableException e) {
                LOG.log(Level.WARNING, "A sequence will be opened again by its next caller: " + each.sequence, e);
            } catch (DistributedIdException e) {
                failures.put(
                        each.sequence.name(), new Failure(FetchHistory.messageOf(e), System.nanoTime(), System.nanoTime()));
                refusal = e;
            }
        }
        if (refusal != null && lives.isCurrent(life)) {
            throw refusal;
        }
    }

    /** See {@link Sequences#close}. */
    @Override
    public void close() {
        lives.close();
        checkpoints = List.of();
        telling.lock();
        try {
            told = true;
            listeners.forEach(listener -> tell(listener, SequenceListener::closed));
            listeners.clear();
        } finally {
            telling.unlock();
        }
    }
}
