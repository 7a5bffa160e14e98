package io.distributedid.mysql;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/** The ids of one thread, in a mapped file of any length, which the kernel keeps whatever becomes of the process. */
final class IdFile implements AutoCloseable {

    private static final int MAPPED_BYTES = 1 << 20;

    private final FileChannel channel;

    private LongBuffer mapped = LongBuffer.allocate(0);

    private long size;

    /** Makes the file. */
    IdFile(Path file) throws IOException {
        channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        map();
    }

    private void map() throws IOException {
        mapped = channel.map(FileChannel.MapMode.READ_WRITE, size, MAPPED_BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        size += MAPPED_BYTES;
    }

    /** Notes an id; not 0. */
    void add(long id) throws IOException {
        mapped.put(id);
        if (!mapped.hasRemaining()) {
            map();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** All ids of a file. */
    static void read(Path file, LongConsumer ids) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MAPPED_BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel channel = FileChannel.open(file)) {
            while (channel.read(bytes.clear()) > 0) {
                // Its size is a multiple of the buffer's.
                while (bytes.hasRemaining() && channel.read(bytes) > 0) {}
                LongBuffer all = bytes.flip().asLongBuffer();
                while (all.hasRemaining()) {
                    long id = all.get();
                    if (id == 0) {
                        return;
                    }
                    ids.accept(id);
                }
            }
        }
    }
}
