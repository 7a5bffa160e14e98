package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.KeyedBackend;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.process.Pending;
import io.distributedid.spi.Sequence;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes numbers per key in the current {@link Period}. Thread-safe. */
final class KeyedGate implements KeyedNumbers.Gate {

    private final Periods periods;

    private final Sequence sequence;

    KeyedGate(Periods periods, Sequence sequence) {
        this.periods = periods;
        this.sequence = sequence;
    }

    @Override
    public <T> T take(long began, Function<KeyedBackend, T> work) {
        return periods.inCurrent(sequence, began, period -> work.apply(period.keyed(sequence)));
    }

    @Override
    public <R> Optional<R> now(Function<KeyedBackend, R> work) {
        Period period = periods.now();
        if (period == null) {
            return Optional.empty();
        }
        R value = work.apply(period.keyed(sequence));
        return periods.isCurrent(period) ? Optional.of(value) : Optional.empty();
    }

    @Override
    public Pending<Long> begin(Function<KeyedBackend, Pending<Long>> work) {
        Period period = periods.now();
        if (period == null) {
            return failed(dropped());
        }
        try {
            Pending<Long> begun = work.apply(period.keyed(sequence));
            return new Pending<>(begun.answer().handle((last, failure) -> current(period, last, failure)), begun.end());
        } catch (DistributedIdException e) {
            return failed(periods.isCurrent(period) ? e : dropped());
        }
    }

    private long current(Period period, @Nullable Long last, @Nullable Throwable failure) {
        if (!periods.isCurrent(period)) {
            throw dropped();
        }
        if (last == null) {
            throw new CompletionException(failure);
        }
        return last;
    }

    private static Pending<Long> failed(DistributedIdException why) {
        return new Pending<>(CompletableFuture.failedFuture(why), () -> {});
    }

    private IdUnavailableException dropped() {
        return new IdUnavailableException(
                "The source of numbers is suspended or closed, or was in the meantime: " + sequence + ". Ask again");
    }

    @Override
    public KeyedBackend open(long began) {
        return take(began, backend -> backend);
    }
}
