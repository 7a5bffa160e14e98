package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.ExclusiveStore;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.tenure.Tenure;
import io.distributedid.internal.tenure.Tenure.Terms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The tenure of this process at one place, and the generators that make ids by it. Thread-safe.
 *
 * <p>The bound of the tenure lies ahead of the clock by a lease, so that it does not end before the term does. A
 * successor that has waited for the lease then begins near its clock. The bound also leaves room above the last id, for
 * a clock that lags and for bursts, as far as {@link ExclusiveStore#latestBound} allows.
 */
final class ExclusivePlace {

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final long leaseMillis;

    private final List<StrictGenerator> generators = new CopyOnWriteArrayList<>();

    private final ExclusiveStore store;

    private final Tenure tenure;

    /** The id time that the bound leaves above the last id. */
    private volatile long roomMillis;

    /**
     * Opens the place for its first sequence. A process that could make no ids does not become active.
     *
     * @param storeOf makes the store for a reservation; closed with this
     * @throws io.distributedid.IdConfigurationException if the store has recorded another layout
     */
    ExclusivePlace(
            Function<ExclusiveStore.Reservation, ExclusiveStore> storeOf,
            String sequence,
            IdLayout layout,
            Terms terms,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        leaseMillis = terms.lease().toMillis();
        store = storeOf.apply(this::bound);
        boolean isOpen = false;
        try {
            requireLayout(sequence, layout);
            tenure = Tenure.open(store, terms, nanoTime);
            isOpen = true;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    /** From now on callers wait for {@code timeout}, unless they wait longer already. */
    void allowWait(Duration timeout) {
        tenure.allowWait(timeout);
    }

    private long bound(long from, long now) {
        long unused =
                generators.stream().mapToLong(StrictGenerator::unused).max().orElse(0);
        return Math.max(now + leaseMillis, Math.max(from, unused) + roomMillis);
    }

    /**
     * A new generator, which this place closes.
     *
     * @param maxAhead how much id time a burst may use without a renewal; at least two units
     */
    StrictGenerator start(WaitStatistics waits, IdLayout layout, Duration maxAhead) {
        long units = 2 * layout.time().unit().toMillis();
        roomMillis = Math.max(roomMillis, Math.max(maxAhead.toMillis(), units));
        StrictGenerator started = new StrictGenerator(
                waits,
                layout,
                tenure,
                store::latestBound,
                clock,
                nanoTime,
                bound -> ThreadLocalRandom.current().nextLong(bound));
        generators.add(started);
        return started;
    }

    /** @throws io.distributedid.IdConfigurationException if the store has recorded another layout */
    final void requireLayout(String sequence, IdLayout layout) {
        RecordedLayout.require(sequence, layout, store.record(sequence, layout.text()), store.label());
    }

    /** Identifies the store. */
    String token() {
        return store.token();
    }

    /** Ends all generators, and hands the tenure back. */
    void release() {
        tenure.release(closeGenerators());
    }

    /** Ends all generators, and hands nothing back. */
    void abandon() {
        long unused = closeGenerators();
        tenure.abandon();
    }

    private long closeGenerators() {
        return generators.stream().mapToLong(StrictGenerator::close).max().orElse(0);
    }
}
