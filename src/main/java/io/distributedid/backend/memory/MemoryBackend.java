package io.distributedid.backend.memory;

import io.distributedid.CheckResult;
import io.distributedid.DecodedId;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.spi.ShardedIdSource;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts in this JVM, for tests. Sequences begin at {@code distributedid.memory.start}, and above all ids that exist:
 * whatever {@code existing_ids} says, since nothing else counts, a raise is right. With
 * {@code distributedid.shard.from} the lowest bits of an id hold its shard.
 *
 * <p>The application's database remembers that its ids were counted here, as it remembers the place of any counter. So
 * a database with ids of ticket servers is refused, and so is one with ids of tests when the servers are set.
 */
final class MemoryBackend implements Backend, ComposedIds, Maintenance {

    /** Differs from all tokens of other places, which are random. */
    static final String TOKEN = MemoryBackendProvider.NAME;

    /** As Instagram had it. */
    private static final int SHARD_BITS = 13;

    private static final int MAX_SHARD_BITS = 31;

    private final boolean hasDatabase;

    private final Map<String, LongAdder> issued = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /** @param hasDatabase whether the application has one that can remember the place of its ids */
    MemoryBackend(boolean hasDatabase) {
        this.hasDatabase = hasDatabase;
    }

    @Override
    public IdSource open(Sequence sequence) {
        long start = sequence.settings().get(MemorySettings.START);
        if (start > sequence.maxValue()) {
            throw sequence.settings()
                    .invalid(
                            MemorySettings.START,
                            start,
                            "a number from 1 to " + sequence.maxValue() + ", since " + sequence + " stores no larger"
                                    + " ids");
        }
        JvmCounter counter = JvmCounter.of(sequence.name());
        counter.raiseAbove(start - 1);
        LongAdder given = issued.computeIfAbsent(sequence.name(), name -> new LongAdder());
        Optional<IdShard> shard = shard(sequence);
        return shard.isPresent()
                ? sharded(sequence, counter, given, shard.get().bits())
                : () -> next(sequence, counter, given, 0, 0);
    }

    private ShardedIdSource sharded(Sequence sequence, JvmCounter counter, LongAdder given, int bits) {
        long count = CoreSettings.shards(sequence.settings(), 1L << bits);
        return shard -> {
            if (shard < 0 || shard >= count) {
                throw new IllegalArgumentException("A shard must exist: shard=" + shard + ", allowed: 0 to "
                        + (count - 1) + " (distributedid.shard.count)");
            }
            return next(sequence, counter, given, bits, shard);
        };
    }

    private long next(Sequence sequence, JvmCounter counter, LongAdder given, int bits, long shard) {
        if (closed) {
            throw new IdUnavailableException("The source of ids is closed: " + sequence);
        }
        long id = counter.next(sequence, bits, shard);
        given.increment();
        return id;
    }

    /** As many bits as {@code shard.count} needs; without it as many as Instagram had. */
    @Override
    public Optional<IdShard> shard(Sequence sequence) {
        Settings settings = sequence.settings();
        if (settings.find(CoreSettings.SHARD_FROM).isEmpty()) {
            return Optional.empty();
        }
        Optional<Long> count = settings.find(CoreSettings.SHARD_COUNT.within(1L, 1L << MAX_SHARD_BITS));
        int needed = count.map(most -> Long.SIZE - Long.numberOfLeadingZeros(most - 1))
                .orElse(SHARD_BITS);
        return Optional.of(new IdShard(Math.max(SHARD_BITS, needed), 0));
    }

    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        JvmCounter.of(sequence.name()).raiseAbove(Collections.max(existing));
    }

    @Override
    public Map<String, Long> counters(Sequence sequence) {
        return Map.of(MemoryBackendProvider.NAME, JvmCounter.of(sequence.name()).last());
    }

    /** Never good: who checks is about to start an application. */
    @Override
    public List<CheckResult> check(Sequence sequence, long above) {
        return List.of(CheckResult.failed("counter", "", MemoryBackendProvider.FOR_TESTS));
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return Optional.ofNullable(issued.get(sequence.name()))
                .map(given -> SequenceStatistics.NONE.withIssued(given.sum()));
    }

    @Override
    public Optional<String> token(Sequence sequence) {
        return hasDatabase ? Optional.of(TOKEN) : Optional.empty();
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        if (id < 1) {
            throw new IllegalArgumentException("An id must be positive: id=" + id);
        }
        return new DecodedId(
                id,
                null,
                shard(sequence).map(place -> Map.of("shard", place.of(id))).orElse(Map.of()));
    }

    @Override
    public void abandon() {
        closed = true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
