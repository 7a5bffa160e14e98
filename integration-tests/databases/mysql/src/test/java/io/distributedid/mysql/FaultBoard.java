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
 * What the processes of a fault run and their test know of each other: a mapped file, in which all read and write the
 * numbers of each process, as threads do in one memory. It outlives the processes.
 *
 * @param <F> what is known of a process
 */
final class FaultBoard<F extends Enum<F>> {

    private static final int MOST_PROCESSES = 8;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final int fields;

    private final ByteBuffer numbers;

    /** Opens the file, or makes it: all is 0. */
    FaultBoard(Path file, Class<F> field) {
        fields = field.getEnumConstants().length;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            numbers = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) MOST_PROCESSES * fields * Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long get(int process, F field) {
        return (long) LONGS.getVolatile(numbers, index(process, field));
    }

    /** The highest of all processes. */
    long highest(F field) {
        long highest = 0;
        for (int process = 0; process < MOST_PROCESSES; process++) {
            highest = Math.max(highest, get(process, field));
        }
        return highest;
    }

    /** The sum of all processes. */
    long sum(F field) {
        long sum = 0;
        for (int process = 0; process < MOST_PROCESSES; process++) {
            sum += get(process, field);
        }
        return sum;
    }

    void set(int process, F field, long value) {
        LONGS.setVolatile(numbers, index(process, field), value);
    }

    void raise(int process, F field, long value) {
        int index = index(process, field);
        long seen = (long) LONGS.getVolatile(numbers, index);
        while (seen < value && !LONGS.compareAndSet(numbers, index, seen, value)) {
            seen = (long) LONGS.getVolatile(numbers, index);
        }
    }

    void count(int process, F field) {
        long unused = (long) LONGS.getAndAdd(numbers, index(process, field), 1L);
    }

    private int index(int process, F field) {
        return (process * fields + field.ordinal()) * Long.BYTES;
    }
}
