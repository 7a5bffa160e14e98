package io.distributedid.mysql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the processes of a fault run know of each other: a mapped file, in which each writes its own numbers and reads those of all, as
 * threads do in one memory. The numbers only grow.
 */
final class FaultBoard {

    /** What is known of a process. */
    enum Field {
        /** The highest id it got from the server whose offset is 2. */
        HIGHEST_EVEN,
        /** The highest id it got from the server whose offset is 1. */
        HIGHEST_ODD,
        IDS,
        LONGEST_WAIT_NANOS;

        /** Where the ids of a server are noted. */
        static Field highestOf(long id) {
            return id % 2 == 0 ? HIGHEST_EVEN : HIGHEST_ODD;
        }
    }

    private static final int MOST_PROCESSES = 8;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer numbers;

    /** Opens the file, or makes it: all is 0. */
    FaultBoard(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            numbers = channel.map(
                    FileChannel.MapMode.READ_WRITE, 0, (long) MOST_PROCESSES * Field.values().length * Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long get(int process, Field field) {
        return (long) LONGS.getVolatile(numbers, index(process, field));
    }

    /** The highest of all processes. */
    long highest(Field field) {
        long highest = 0;
        for (int process = 0; process < MOST_PROCESSES; process++) {
            highest = Math.max(highest, get(process, field));
        }
        return highest;
    }

    void raise(int process, Field field, long value) {
        int index = index(process, field);
        long seen = (long) LONGS.getVolatile(numbers, index);
        while (seen < value && !LONGS.compareAndSet(numbers, index, seen, value)) {
            seen = (long) LONGS.getVolatile(numbers, index);
        }
    }

    void count(int process, Field field) {
        long unused = (long) LONGS.getAndAdd(numbers, index(process, field), 1L);
    }

    private static int index(int process, Field field) {
        return (process * Field.values().length + field.ordinal()) * Long.BYTES;
    }
}
