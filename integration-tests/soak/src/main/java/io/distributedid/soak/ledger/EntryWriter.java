package io.distributedid.soak.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Appends entries to a file of its own. What {@link #write} was given is the kernel's, which keeps it whatever becomes
 * of the process. Not for several threads.
 */
public final class EntryWriter implements AutoCloseable {

    private final FileChannel file;

    private ByteBuffer bytes = ByteBuffer.allocateDirect(64 * Entry.BYTES);

    public EntryWriter(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    public void write(List<Entry> entries) throws IOException {
        if (bytes.capacity() < entries.size() * Entry.BYTES) {
            bytes = ByteBuffer.allocateDirect(entries.size() * Entry.BYTES);
        }
        bytes.clear();
        entries.forEach(entry -> entry.putInto(bytes));
        bytes.flip();
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
