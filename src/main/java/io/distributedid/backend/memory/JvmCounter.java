package io.distributedid.backend.memory;

import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Sequence;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The largest id of a sequence in this JVM. All contexts that this class loader serves share it, also one that ended
 * and one that comes later, since they may share a database too. It only rises, so ids of any two widths of the shard
 * differ. Thread-safe.
 */
final class JvmCounter {

    private static final Map<String, JvmCounter> BY_SEQUENCE = new ConcurrentHashMap<>();

    private final AtomicLong last = new AtomicLong();

    static JvmCounter of(String sequence) {
        return BY_SEQUENCE.computeIfAbsent(sequence, name -> new JvmCounter());
    }

    long last() {
        return last.get();
    }

    /** Later ids are larger than {@code existing}. */
    void raiseAbove(long existing) {
        last.accumulateAndGet(existing, Math::max);
    }

    /** The next id whose lowest {@code bits} hold the {@code shard}. */
    long next(Sequence sequence, int bits, long shard) {
        while (true) {
            long before = last.get();
            long most = sequence.maxValue();
            if ((before >>> bits) >= (most >>> bits)) {
                throw exhausted(sequence, before);
            }
            long id = (((before >>> bits) + 1) << bits) | shard;
            if (id > most) {
                throw exhausted(sequence, before);
            }
            if (last.compareAndSet(before, id)) {
                return id;
            }
        }
    }

    private static IdsExhaustedException exhausted(Sequence sequence, long last) {
        return new IdsExhaustedException("The " + sequence + " has no ids left: last=" + last + ", allowed: up to "
                + sequence.maxValue() + ". If a row of the test data has such a large id, give the row a smaller id");
    }
}
