package io.distributedid.soak.application;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What an application and the soak know of each other: a mapped file, which outlives the process. */
public final class Board {

    /** A number; all are 0 at first. */
    public enum Field {
        /** The soak's: how far the clock of the application is from the real one, in milliseconds. */
        CLOCK_MILLIS,
        /** Calls that got ids. */
        CALLS,
        /** Calls that were refused. */
        REFUSALS,
        /** The largest id so far. */
        LARGEST,
        /** See {@link io.distributedid.BlockStatistics}; a moment old. */
        RESERVED,
        RESERVE,
        DROPPED
    }

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer numbers;

    Board(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            numbers = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) Field.values().length * Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long get(Field field) {
        return (long) LONGS.getVolatile(numbers, index(field));
    }

    void set(Field field, long value) {
        LONGS.setVolatile(numbers, index(field), value);
    }

    void count(Field field) {
        long unused = (long) LONGS.getAndAdd(numbers, index(field), 1L);
    }

    void raise(Field field, long value) {
        long seen = get(field);
        while (seen < value && !LONGS.compareAndSet(numbers, index(field), seen, value)) {
            seen = get(field);
        }
    }

    private static int index(Field field) {
        return field.ordinal() * Long.BYTES;
    }
}
