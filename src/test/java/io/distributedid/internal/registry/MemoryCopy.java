package io.distributedid.internal.registry;

import io.distributedid.DistributedIds;
import io.distributedid.internal.block.ReservedIds;
import io.distributedid.spi.Backend;
import io.distributedid.spi.IdSource;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies the state of one {@link DistributedIds} to another, as if both had been restored from one snapshot. A JVM
 * can't be forked, so the fields are set by reflection.
 */
public final class MemoryCopy {

    private MemoryCopy() {}

    /** Copies the blocks of a sequence, which both have opened. */
    public static void ofBlocks(DistributedIds from, DistributedIds to, String sequence) {
        IdSource given = open(from, sequence).source();
        IdSource taken = open(to, sequence).source();
        copy(given, taken, "current");
        copy(get(given, "next"), get(taken, "next"), "next");
    }

    private static void copy(Object from, Object to, String field) {
        Object block = get(from, field);
        set(to, field, block == null ? null : copy(block));
    }

    private static Object copy(Object block) {
        ReservedIds copy = ReservedIds.none();
        for (Field field : ReservedIds.class.getDeclaredFields()) {
            Object value = get(block, field.getName());
            set(copy, field.getName(), value instanceof AtomicLong next ? new AtomicLong(next.get()) : value);
        }
        return copy;
    }

    /** The backend of a sequence that is open. */
    public static Backend backend(DistributedIds ids, String sequence) {
        return (Backend) get(open(ids, sequence), "backend");
    }

    private static OpenSequence open(DistributedIds ids, String sequence) {
        return ((SequenceRegistry) get(ids, "sequences")).find(sequence).orElseThrow();
    }

    public static Object get(Object object, String field) {
        try {
            return accessible(object, field).get(object);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void set(Object object, String field, Object value) {
        try {
            accessible(object, field).set(object, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field accessible(Object object, String name) throws NoSuchFieldException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
