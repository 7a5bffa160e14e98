package io.distributedid.internal.registry;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.keyed.KeyedBackend;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.keyed.source.PendingNumber;
import io.distributedid.spi.Sequence;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Takes numbers per key in the current {@link Period}. Thread-safe. */
final class KeyedGate implements KeyedNumbers.Gate {

    private record Taken<T>(Period period, T value) {}

    private final Periods periods;

    private final Sequence sequence;

    KeyedGate(Periods periods, Sequence sequence) {
        this.periods = periods;
        this.sequence = sequence;
    }

    /** Numbers of an ended period are dropped: a copy of this process may have got them too. */
    @Override
    public <T> T take(long began, Function<KeyedBackend, T> work) {
        while (true) {
            Taken<T> taken = periods.inCurrent(
                    sequence, began, period -> new Taken<>(period, work.apply(period.keyed(sequence))));
            if (periods.isCurrent(taken.period)) {
                return taken.value;
            }
        }
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
    public Optional<PendingNumber> begin(Function<KeyedBackend, Optional<PendingNumber>> work) {
        Period period = periods.now();
        if (period == null) {
            return Optional.empty();
        }
        try {
            return work.apply(period.keyed(sequence)).map(begun -> of(period, begun));
        } catch (DistributedIdException e) {
            if (periods.isCurrent(period)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private PendingNumber of(Period period, PendingNumber begun) {
        CompletableFuture<OptionalLong> last = new CompletableFuture<>();
        CompletableFuture<OptionalLong> unused = begun.last().whenComplete((number, failure) -> {
            if (!periods.isCurrent(period)) {
                last.complete(OptionalLong.empty());
            } else if (failure != null) {
                last.completeExceptionally(failure);
            } else {
                last.complete(number);
            }
        });
        return new PendingNumber(last, begun.end());
    }

    @Override
    public KeyedBackend open(long began) {
        return periods.inCurrent(sequence, began, period -> period.keyed(sequence));
    }
}
