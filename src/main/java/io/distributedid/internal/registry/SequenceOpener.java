package io.distributedid.internal.registry;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.block.BlockPolicy;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Opens the sequences of a {@link SequenceRegistry}. While no server answers it retries, see {@link OpeningRetry}. The
 * resume opens all sequences again in the next {@link Period}; if that fails, their next callers do. Thread-safe.
 */
final class SequenceOpener {

    private static final Logger LOG = System.getLogger(SequenceOpener.class.getName());

    /** What a backend does for several sequences. */
    @FunctionalInterface
    interface Step {

        void run(Backend backend, Map<Sequence, ? extends Collection<Long>> existing);
    }

    private final SequenceRegistry registry;

    private final Periods periods;

    private final TokenCheck tokens;

    /** By the name of the sequence, until it is open. */
    private final Map<String, OpeningFailure> failures = new ConcurrentHashMap<>();

    SequenceOpener(SequenceRegistry registry, Periods periods, TokenCheck tokens) {
        this.registry = registry;
        this.periods = periods;
        this.tokens = tokens;
    }

    /** The sequences whose last attempt failed. */
    Set<String> failedNames() {
        return failures.keySet();
    }

    @Nullable
    OpeningFailure failure(String name) {
        return failures.get(name);
    }

    /** The sequence of a source in the current period. Waits for a period and opens the sequence if necessary. */
    OpenSequence open(SequenceSource source, long began) {
        OpenSequence open = source.open;
        while (open == null) {
            open(source.sequence(), began);
            open = source.open;
        }
        return open;
    }

    /** Opens a sequence, with retries. Holds no lock in the pauses. */
    SequenceSource open(Sequence sequence, long began) {
        OpeningRetry retry = new OpeningRetry(sequence, began, failures.get(sequence.name()));
        while (true) {
            try {
                return periods.inCurrent(sequence, began, period -> openIn(period, sequence, retry));
            } catch (IdUnavailableException e) {
                pause(sequence, retry.pauseAfter(e), e);
            }
        }
    }

    /** Each reason is a warning once. */
    private void pause(Sequence sequence, long nanos, IdUnavailableException failure) {
        OpeningFailure last = failures.get(sequence.name());
        if (last != null && last.awaited().isEmpty()) {
            String reason = FailureText.of(failure);
            Level level = isAwaited(reason) ? Level.DEBUG : Level.WARNING;
            failures.computeIfPresent(sequence.name(), (name, now) -> now.awaiting(reason));
            LOG.log(
                    level,
                    Pages.withOneRow("A sequence can't be opened yet, and is tried again until"
                            + " distributedid.block.timeout is over: " + sequence + ". " + reason
                            + Pages.onCall("not-open")));
        }
        try {
            periods.pause(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException(
                    "Interrupted while waiting for servers that do not answer: " + sequence + ". "
                            + failure.getMessage(),
                    failure);
        }
    }

    private boolean isAwaited(String reason) {
        return failures.values().stream().anyMatch(each -> each.awaited().equals(reason));
    }

    /**
     * Does something for several sequences, all of one backend together. A sequence whose settings are wrong is left to
     * its opening.
     */
    void prepare(Map<String, ? extends Collection<Long>> existing, Step step) {
        Period period = periods.now();
        if (period == null) {
            return;
        }
        Map<Period.Running, Map<Sequence, Collection<Long>>> byBackend = new IdentityHashMap<>();
        existing.forEach((name, ids) -> {
            try {
                Sequence sequence = registry.sequence(name, "prepare");
                byBackend
                        .computeIfAbsent(period.running(sequence), running -> new LinkedHashMap<>())
                        .put(sequence, ids);
            } catch (DistributedIdException e) {
                LOG.log(Level.DEBUG, "A sequence can't be prepared: " + name, e);
            }
        });
        byBackend.forEach((running, some) -> running.alone(() -> {
            if (periods.isCurrent(period)) {
                step.run(running.backend(), some);
            }
            return some;
        }));
    }

    /**
     * Opens all former sequences in a new period. If a server does not answer, the next caller opens the sequence.
     *
     * @throws DistributedIdException if a sequence is refused; the others are open
     */
    void openAgain(Period period, Map<String, SequenceSource> sources) {
        Map<String, List<Long>> all = new LinkedHashMap<>();
        sources.keySet().forEach(name -> all.put(name, List.of()));
        prepare(all, Backend::prepare);
        DistributedIdException refusal = null;
        Set<String> reasons = new HashSet<>();
        for (SequenceSource each : sources.values()) {
            Sequence sequence = each.sequence();
            try {
                openIn(period, sequence, new OpeningRetry(sequence, System.nanoTime(), null));
            } catch (IdUnavailableException e) {
                LOG.log(
                        reasons.add(FailureText.of(e)) ? Level.WARNING : Level.DEBUG,
                        "A sequence can't be opened again yet; its next caller retries: " + sequence + ". "
                                + FailureText.of(e));
            } catch (DistributedIdException e) {
                noteFailure(sequence, e, System.nanoTime());
                refusal = e;
            }
        }
        if (refusal != null && periods.isCurrent(period)) {
            throw refusal;
        }
    }

    private SequenceSource openIn(Period period, Sequence sequence, OpeningRetry retry) {
        Period.Running running = period.running(sequence);
        lock(running.opening(), sequence, retry);
        try {
            periods.requireUsable(period, sequence);
            SequenceSource known = registry.source(sequence.name());
            if (known != null && known.open != null) {
                return known;
            }
            OpeningFailure last = failures.get(sequence.name());
            if (last != null && retry.isOver() && retry.isNewAttempt(last.nanos())) {
                // The caller's time ran out while it waited for the attempts of another caller.
                throw Pending.own(last.reason());
            }
            IdSource source = source(period, sequence, running.backend(), retry);
            SequenceSource opened = known == null ? SequenceSource.like(source, sequence, this) : known;
            registry.attach(
                    period, opened, new OpenSequence(opened.sequence(), running.backend(), source, period.clock()));
            return opened;
        } finally {
            running.opening().unlock();
        }
    }

    /** If the sequence was open before, a caller waits here for {@code block.timeout} at most. */
    private void lock(ReentrantLock opening, Sequence sequence, OpeningRetry retry) {
        OpeningFailure last = failures.get(sequence.name());
        if (last != null && retry.isOver()) {
            if (!opening.tryLock()) {
                throw Pending.own(last.reason());
            }
            return;
        }
        if (registry.source(sequence.name()) == null) {
            opening.lock();
            return;
        }
        Duration timeout = BlockPolicy.of(sequence.settings()).timeout();
        try {
            if (!opening.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IdUnavailableException("The sequence is still being opened again: " + sequence + ", waited "
                        + timeout.toMillis() + " ms (distributedid.block.timeout)");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while a sequence is opened again: " + sequence, e);
        }
    }

    private IdSource source(Period period, Sequence sequence, Backend backend, OpeningRetry retry) {
        try {
            requireShardIfConfigured(sequence, backend);
            IdSource source = backend.open(sequence);
            compareToken(period, sequence, backend, source);
            OpeningFailure ended = failures.remove(sequence.name());
            if (ended != null && !ended.awaited().isEmpty()) {
                LOG.log(
                        isAwaited(ended.awaited()) ? Level.DEBUG : Level.INFO,
                        "The sequence is open after failed attempts: {0}",
                        sequence);
            }
            return source;
        } catch (DistributedIdException e) {
            DistributedIdException judged = OpeningRetry.judged(e);
            if (periods.isCurrent(period)) {
                noteFailure(sequence, judged, retry.began());
            }
            throw judged;
        }
    }

    private void noteFailure(Sequence sequence, DistributedIdException reason, long since) {
        failures.compute(
                sequence.name(),
                (name, last) ->
                        new OpeningFailure(reason, System.nanoTime(), since, last == null ? "" : last.awaited()));
    }

    private void compareToken(Period period, Sequence sequence, Backend backend, IdSource source) {
        boolean isGood = false;
        try {
            tokens.check(sequence, backend);
            isGood = true;
        } finally {
            if (!isGood && source instanceof BlockBuffer buffer) {
                // Each attempt makes a new buffer.
                period.close(buffer);
            }
        }
    }

    /** See {@link SequenceRegistry#check}. */
    List<CheckResult> check(Sequence sequence, long above) {
        return periods.inCurrent(sequence, System.nanoTime(), period -> {
            Period.Running running = period.running(sequence);
            return running.alone(() -> {
                periods.requireUsable(period, sequence);
                requireShardIfConfigured(sequence, running.backend());
                return running.backend().check(sequence, above);
            });
        });
    }

    /** Otherwise ids without a shard would be routed as if they carried one. */
    private static void requireShardIfConfigured(Sequence sequence, Backend backend) {
        Settings own = sequence.settings();
        Optional<String> from = own.find(CoreSettings.SHARD_FROM);
        if (from.isPresent() && ComposedIds.of(backend).shard(sequence).isEmpty()) {
            throw own.invalid(
                    CoreSettings.SHARD_FROM,
                    from.get(),
                    "nothing, since the ids of " + sequence + " carry no shard: leave "
                            + Setting.SEQUENCE_PREFIX + sequence.name()
                            + ".shard.from empty, or choose a layout with a shard");
        }
    }
}
