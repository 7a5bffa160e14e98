package io.distributedid.soak.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** All files of entries in a folder: one for each thread of each process. */
public final class Ledger {

    /** How many entries are in memory at once, by default: about 100 MB. */
    public static final int IN_MEMORY = 1_000_000;

    private static final String SUFFIX = ".entries";

    private final Path folder;

    public Ledger(Path folder) {
        this.folder = folder;
    }

    /** The file of a thread. */
    public static Path file(Path folder, int process, int thread) {
        return folder.resolve(process + "-" + thread + SUFFIX);
    }

    /** Reads all, in no order. */
    public void forEach(Consumer<Entry> use) throws IOException {
        for (Path file : files()) {
            try (EntryReader reader = new EntryReader(file)) {
                reader.forEachRemaining(use);
            }
        }
    }

    /** Sorts what got ids by the first id, in a folder beside the files. */
    public SortedEntries sorted(int inMemory) throws IOException {
        Path runs = Files.createTempDirectory(folder, "sorted");
        SortedEntries.Builder builder = new SortedEntries.Builder(runs, inMemory);
        forEach(entry -> {
            if (!entry.isRefused()) {
                builder.add(entry);
            }
        });
        return builder.build();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }
}
