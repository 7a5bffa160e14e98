package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One worker number and its records in files of the local machine, see {@link FileChain}. The store time is the local
 * clock, checked for jumps by {@link CheckedClock}.
 */
final class FileWorkerStore implements WorkerStore {

    private static final long NAP_MILLIS = 10;

    private static final int MOST_TRIES = 1_000;

    @FunctionalInterface
    private interface Work<T> {

        T run() throws IOException, WorkerStoreException, InterruptedException;
    }

    private final Path path;

    private final String of;

    private final FileChain chain;

    private final CheckedClock clock;

    private final Runnable release;

    /** The highest file number that was seen. */
    private long highest;

    /**
     * @param path for messages
     * @param of the owner of the file, as in {@code worker=7}
     * @param release called when the store is closed
     */
    FileWorkerStore(Path path, String of, Folder folder, CheckedClock clock, Runnable release) {
        this.path = path;
        this.of = of;
        this.clock = clock;
        this.release = release;
        chain = new FileChain(folder, path);
    }

    /**
     * Opens a state file, and keeps other users away until the store is closed.
     *
     * @param path in an existing folder
     * @param of the owner of the file, as in {@code worker=7}
     * @throws IdConfigurationException if the file can't be used, or has another owner
     * @throws io.distributedid.IdUnavailableException if another user holds it
     */
    static FileWorkerStore open(Path path, String of, InstantSource clock) {
        try {
            // The real path, since a link may be changed later.
            Path real = real(path);
            FileSystemCheck.requireLocal(path, Files.getFileStore(parent(real)).type());
            if (Files.exists(real)) {
                throw new IdConfigurationException("A state file is a set of files whose names begin with its own: "
                        + "distributedid.snowflake.state_file=" + path
                        + " must not exist itself. If an earlier version has written it, stop every process of this"
                        + " worker number, wait until the time in the file, and delete it");
            }
            FileHold hold = FileHold.take(real.resolveSibling(real.getFileName() + ".lock"), path);
            CheckedClock checked = new CheckedClock(
                    clock, System::nanoTime, () -> TimeUnit.MILLISECONDS.sleep(NAP_MILLIS), setting(path));
            FileWorkerStore store = new FileWorkerStore(path, of, new LocalFolder(real), checked, hold::close);
            boolean done = false;
            try {
                FileSystemCheck.requireLinks(new LocalFolder(real), path);
                store.chain.tidy();
                done = true;
                return store;
            } finally {
                if (!done) {
                    store.close();
                }
            }
        } catch (IOException e) {
            throw unusable(path, e);
        } catch (WorkerStoreException e) {
            throw new IdConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Path real(Path path) throws IOException {
        return parent(path).toRealPath().resolve(path.getFileName());
    }

    private static Path parent(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IdConfigurationException("A state file must be in a folder: " + setting(path));
        }
        return parent;
    }

    private static String setting(Path path) {
        return "distributedid.snowflake.state_file=" + path;
    }

    private static IdConfigurationException unusable(Path path, IOException cause) {
        return new IdConfigurationException("The state file can't be used: " + setting(path) + ": " + cause, cause);
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        ChainFile file = call("read", () -> look().last());
        // The local clock is compared with this time. Before the look, a busy disk would seem to be a wrong clock.
        long time = clock.millis();
        WorkerRow row = file.row();
        boolean wanted = row != null && first <= row.worker() && row.worker() <= last;
        return new StoreSnapshot(
                wanted ? List.of(row) : List.of(), time, file.records().get(STORE_RECORD));
    }

    private FileChain.Seen look() throws IOException, WorkerStoreException {
        FileChain.Seen seen = chain.look();
        if (seen.last().number() < highest) {
            throw new WorkerStoreException(
                    "The state file was removed, or set back to an earlier one, while it was used: "
                            + setting(path) + ", was at " + path + "." + highest + ", is at " + path + "."
                            + seen.last().number()
                            + ". Restore it, and start this process again");
        }
        highest = seen.last().number();
        if (seen.last().number() > 0 && !seen.last().of().equals(of)) {
            throw new IdConfigurationException("A state file must belong to one worker number: " + setting(path)
                    + " is of " + seen.last().of() + ", asked for by " + of + ". Give it a file of its own");
        }
        return seen;
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        ChainFile file = call("read", () -> look().last());
        WorkerRow row = file.row();
        return row == null ? -1 : row.worker();
    }

    @Override
    public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException {
        return call("written", () -> {
            FileChain.Seen seen = look();
            WorkerRow row = seen.last().row();
            if (row != null && row.worker() != next.worker()) {
                throw new IllegalArgumentException("A state file holds one number: has " + row + ", asked for " + next);
            }
            return (row == null ? expected == null : row.equals(expected))
                    && replace(seen, next, seen.last().records());
        });
    }

    private boolean replace(FileChain.Seen seen, @Nullable WorkerRow row, Map<String, String> records)
            throws IOException, WorkerStoreException {
        ChainFile next =
                new ChainFile(seen.last().number() + 1, UUID.randomUUID().toString(), of, row, records);
        boolean done = chain.replace(seen, next);
        if (done) {
            highest = next.number();
        }
        return done;
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return call("read", () -> Optional.ofNullable(look().last().records().get(name)));
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        return call("read", () -> Map.copyOf(look().last().records()));
    }

    @Override
    public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException {
        return call("written", () -> {
            // A renewal of the row by another process makes the replacement fail, but does not change the record.
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                FileChain.Seen seen = look();
                String found = seen.last().records().get(name);
                if (found == null ? expected != null : !found.equals(expected)) {
                    return false;
                }
                Map<String, String> records = new TreeMap<>(seen.last().records());
                records.put(name, next);
                if (replace(seen, seen.last().row(), records)) {
                    return true;
                }
            }
            return false;
        });
    }

    private <T> T call(String verb, Work<T> work) throws WorkerStoreException, InterruptedException {
        try {
            return work.run();
        } catch (ClosedByInterruptException e) {
            throw new InterruptedException(path.toString());
        } catch (IOException e) {
            throw new WorkerStoreException("The state file can't be " + verb + ": " + path + ": " + e, e);
        }
    }

    @Override
    public String label() {
        return path.toString();
    }

    @Override
    public void close() {
        release.run();
    }
}
