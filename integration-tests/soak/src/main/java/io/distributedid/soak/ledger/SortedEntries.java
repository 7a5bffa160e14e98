package io.distributedid.soak.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * Entries by their first id, sorted outside of memory: runs of a bounded length are sorted and written to files, which
 * are then merged. {@link #close()} deletes the files.
 */
public final class SortedEntries implements Iterator<Entry>, AutoCloseable {

    private static final Comparator<Entry> BY_ID = Comparator.comparingLong(Entry::first);

    private final Path folder;

    private final List<Path> files;

    private final PriorityQueue<EntryReader> readers =
            new PriorityQueue<>(Comparator.comparing(EntryReader::peek, BY_ID));

    private SortedEntries(Path folder, List<Path> files) throws IOException {
        this.folder = folder;
        this.files = files;
        for (Path file : files) {
            readers.add(new EntryReader(file));
        }
    }

    /** How many files are merged. */
    int runs() {
        return files.size();
    }

    @Override
    public boolean hasNext() {
        return !readers.isEmpty();
    }

    @Override
    public Entry next() {
        EntryReader reader = readers.poll();
        if (reader == null) {
            throw new NoSuchElementException();
        }
        Entry entry = reader.next();
        if (reader.hasNext()) {
            readers.add(reader);
        } else {
            try {
                reader.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return entry;
    }

    @Override
    public void close() throws IOException {
        for (EntryReader reader : readers) {
            reader.close();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(folder);
    }

    /** Collects entries, and writes a run whenever the memory is full. */
    static final class Builder {

        private final Path folder;

        private final int inMemory;

        private final List<Path> files = new ArrayList<>();

        private final List<Entry> run = new ArrayList<>();

        Builder(Path folder, int inMemory) {
            this.folder = folder;
            this.inMemory = inMemory;
        }

        void add(Entry entry) {
            run.add(entry);
            if (run.size() == inMemory) {
                write();
            }
        }

        private void write() {
            run.sort(BY_ID);
            Path file = folder.resolve(Integer.toString(files.size()));
            try (EntryWriter writer = new EntryWriter(file)) {
                for (int from = 0; from < run.size(); from += 1_000) {
                    writer.write(run.subList(from, Math.min(from + 1_000, run.size())));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            files.add(file);
            run.clear();
        }

        SortedEntries build() throws IOException {
            if (!run.isEmpty()) {
                write();
            }
            return new SortedEntries(folder, files);
        }
    }
}
