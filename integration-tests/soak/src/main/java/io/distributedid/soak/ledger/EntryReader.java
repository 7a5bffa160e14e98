package io.distributedid.soak.ledger;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The entries of one file, in their order. An entry that a killed process began to write is left out. */
public final class EntryReader implements Iterator<Entry>, AutoCloseable {

    private static final int BUFFER = 1_000 * Entry.BYTES;

    private final InputStream in;

    private final byte[] bytes = new byte[Entry.BYTES];

    private Entry next;

    EntryReader(Path file) throws IOException {
        in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        read();
    }

    /** Reads a short file. */
    public static List<Entry> all(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (EntryReader reader = new EntryReader(file)) {
            reader.forEachRemaining(entries::add);
        }
        return entries;
    }

    private void read() throws IOException {
        boolean isWhole = in.readNBytes(bytes, 0, bytes.length) == bytes.length;
        next = isWhole ? Entry.from(ByteBuffer.wrap(bytes)) : null;
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    /** What {@link #next} will return. */
    Entry peek() {
        return next;
    }

    @Override
    public Entry next() {
        if (next == null) {
            throw new NoSuchElementException();
        }
        Entry entry = next;
        try {
            read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entry;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
