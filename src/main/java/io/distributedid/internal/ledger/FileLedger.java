package io.distributedid.internal.ledger;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.process.Holdings;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in a small file {@code S} of this machine, whose clock is the store's time:
 *
 * <pre>
 * &#64;store 2-e5d4 64 OPEN token=7f3a format=1
 * &#64;worker/7 9-31aa 1764409150026 OPEN owner=app1%20pid%2017
 * check=1d2f3a4b
 * </pre>
 *
 * <p>One user at a time has the file: from {@link #open} to {@link #close} it holds a lock on {@code S.lock}. To change
 * rows, it writes the new content to a file beside {@code S}, forces that to the disk, compares {@code S} with what it
 * has read, renames the new file to {@code S}, and forces the folder. Each look begins with forcing the folder too. So
 * it shows no change that a power failure may undo, even if the force after that change had failed.
 *
 * <p>The lock is no fence: the operating system drops it as soon as any code in this JVM closes any descriptor of
 * {@code S.lock}. If two users then rename in the same instant, one of the changes is lost though it was reported as
 * done. All copies of this library in a JVM avoid that, see {@link Holdings}. For one thread at a time.
 */
public class FileLedger implements Ledger, Link<Ledger> {

    /** File systems that other machines share, or whose renames and locks may behave differently. */
    private static final Pattern REMOTE = Pattern.compile(
            "nfs.*|cifs|smb.*|9p|afs|ncp.*|ceph|lustre|gfs2?|ocfs2|gpfs|beegfs.*|glusterfs|fuse\\..*|fusefs.*|osxfuse"
                    + "|macfuse|virtiofs|vboxsf|vmhgfs|prl_fs|drvfs|davfs|webdav|orangefs|pvfs2|moosefs",
            Pattern.CASE_INSENSITIVE);

    private static final String CHECK = "check=";

    /** Opens a file, whose folder must exist. The label is the setting with the path. */
    public record Source(Path path, String label, SettledClock clock) implements Link.Source<Ledger> {

        public Source(Path path, String label, InstantSource clock) {
            this(path, label, new SettledClock(clock, Platform.JVM::nanoTime, label));
        }

        @Override
        public FileLedger connect(Duration atMost) {
            return new FileLedger(this);
        }
    }

    private final Source source;

    private final Path file;

    private final Path folder;

    private @Nullable FileChannel lock;

    /** The name of the file among the {@link Holdings}; empty if it is not held. */
    private String held = "";

    FileLedger(Source source) {
        this.source = source;
        file = source.path.toAbsolutePath();
        folder = Objects.requireNonNullElse(file.getParent(), file);
    }

    /**
     * Locks the file, unless it is on a disk that other machines share. A new one has the row {@link #STORE}, in the
     * state NEW.
     */
    @Override
    public Ledger open() throws SQLException {
        if (!Files.isDirectory(folder)) {
            throw new IdConfigurationException("The folder of the state file must exist: " + source.label);
        }
        try {
            requireLocal(Files.getFileStore(folder).type());
            if (Files.isSymbolicLink(file)) {
                throw new IdConfigurationException("A state file must not be a symbolic link, which a change would"
                        + " replace: " + source.label + ". Set the path of the file itself");
            }
            // Who opens and closes a file that this JVM has locked drops the lock.
            String name = "file " + folder.toRealPath().resolve(file.getFileName());
            if (Holdings.ofJvm().take(name).isPresent()) {
                held = name;
                lock = FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
            if (lock == null || lock.tryLock() == null) {
                throw new IdUnavailableException(
                        "The state file is in use: " + source.label + ". No two processes, or persistence"
                                + " units, may have the same worker number, and each has a file of its own"
                                + Pages.onCall("state-file"));
            }
            // By a process that was killed.
            String temporary = Pattern.quote(file.getFileName() + ".") + "[0-9a-f]+[.]tmp";
            File[] left = folder.toFile().listFiles((in, each) -> each.matches(temporary));
            for (File each : Objects.requireNonNullElse(left, new File[0])) {
                Files.delete(each.toPath());
            }
            if (Files.notExists(file)) {
                Set<String> unused = write(List.of(Change.created()));
            }
            return this;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    void requireLocal(String fileSystem) {
        if (REMOTE.matcher(fileSystem).matches()) {
            throw new IdConfigurationException("A state file must be on a disk of this machine: " + source.label
                    + ", file system=" + fileSystem + ". Put it elsewhere, or lease numbers from a database:"
                    + " distributedid.snowflake.worker=lease");
        }
    }

    private Path beside(String suffix) {
        return folder.resolve(file.getFileName() + suffix);
    }

    private SQLException failed(IOException e) {
        return new SQLException("The state file can't be used: " + source.label + ": " + e, e);
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
        try {
            force();
            return rows(content()).read(names, isSynchronised);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException {
        try {
            force();
            String before = content();
            MemoryLedger rows = rows(before);
            Set<String> done = rows.write(changes);
            String after = content(rows.rows());
            return after.equals(before) || replaces(before, after) ? done : Set.of();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private boolean replaces(String before, String after) throws IOException {
        Path temporary = beside("." + Integer.toHexString(after.hashCode()) + ".tmp");
        try {
            create(temporary, after);
            if (!content().equals(before)) {
                return false;
            }
            rename(temporary);
        } finally {
            boolean unused = Files.deleteIfExists(temporary);
        }
        force();
        return true;
    }

    private MemoryLedger rows(String content) throws SQLException {
        long time = source.clock.millis();
        String lines = content.substring(0, Math.max(0, content.lastIndexOf(CHECK)));
        if (!checked(lines).equals(content)) {
            throw new IdConfigurationException("The state file is damaged: " + source.label + ". Restore it, or give"
                    + " this process another worker number and state file. If the clock is right, and no process of"
                    + " this worker number was ahead of it, stop them all and delete the file"
                    + Pages.onCall("state-file"));
        }
        ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();
        lines.lines().map(line -> line.split(" ", 2)).forEach(parts -> {
            String name = Fields.unescaped(parts[0]);
            rows.put(name, Row.ofLine(name, parts[1]));
        });
        return new MemoryLedger(rows, () -> time);
    }

    private static String content(Map<String, Row> rows) {
        return checked(new TreeMap<>(rows)
                .values().stream()
                        .map(row -> Fields.escaped(row.name()) + " " + row.line() + "\n")
                        .collect(Collectors.joining()));
    }

    private static String checked(String lines) {
        return lines + CHECK + Integer.toHexString(lines.hashCode()) + "\n";
    }

    /** What a missing file has is no rows. */
    String content() throws IOException {
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (FileNotFoundException e) {
            if (Files.notExists(file) && Files.isDirectory(folder)) {
                return content(Map.of());
            }
            throw e;
        }
    }

    void create(Path temporary, String content) throws IOException {
        try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
    }

    void rename(Path temporary) throws IOException {
        Path unused = Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Forces the names in the folder to the disk. Windows opens no folder; there its file system keeps them. */
    void force() throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    /** Does nothing: a disk is not waited for. */
    @Override
    public void abort() {}

    @Override
    public void close() {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Holdings.ofJvm().giveBack(held, "");
            held = "";
        }
    }
}
