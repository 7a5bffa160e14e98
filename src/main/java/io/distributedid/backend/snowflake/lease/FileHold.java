package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Holdings;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other users away from a state file, so that they fail at once: processes by a file lock on {@code S.lock},
 * users in this JVM by the file's path and identity among the {@link Holdings}. The operating system drops the lock as
 * soon as any code in this JVM closes any descriptor of {@code S.lock}, even a read-only one. So the file is opened
 * only if no user in this JVM holds it. Uniqueness does not depend on the lock: see {@link FileChain}.
 */
final class FileHold implements AutoCloseable {

    private static final Logger LOG = System.getLogger(FileHold.class.getName());

    /** Closing one of these would drop the lock of its holder in this JVM. */
    private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

    private final List<String> held = new ArrayList<>();

    private @Nullable FileChannel channel;

    private FileHold() {}

    /**
     * @param lock the path of the lock file, without links
     * @param stateFile for messages
     * @throws IdUnavailableException if another user holds the state file
     */
    static FileHold take(Path lock, Path stateFile) throws IOException {
        FileHold hold = new FileHold();
        boolean done = false;
        try {
            hold.open(lock, stateFile);
            done = true;
            return hold;
        } finally {
            if (!done) {
                hold.close();
            }
        }
    }

    private void open(Path lock, Path stateFile) throws IOException {
        hold("file " + lock, stateFile);
        try {
            Files.createFile(lock);
        } catch (FileAlreadyExistsException e) {
            LOG.log(Level.DEBUG, "The state file was used before: {0}", stateFile);
        }
        // The same file may have several paths.
        Object key = Files.readAttributes(lock, BasicFileAttributes.class).fileKey();
        if (key != null) {
            hold("file " + key, stateFile);
        }
        FileChannel opened = FileChannel.open(lock, StandardOpenOption.WRITE);
        try {
            if (opened.tryLock() == null) {
                opened.close();
                throw inUse(stateFile);
            }
        } catch (OverlappingFileLockException e) {
            NEVER_CLOSED.add(opened);
            throw inUse(stateFile);
        }
        channel = opened;
    }

    private void hold(String name, Path stateFile) {
        if (Holdings.ofJvm().take(name).isEmpty()) {
            throw inUse(stateFile);
        }
        held.add(name);
    }

    private static IdUnavailableException inUse(Path stateFile) {
        return new IdUnavailableException("The state file is in use: distributedid.snowflake.state_file=" + stateFile
                + ". No two processes, or persistence units, may have the same worker number, and each has a"
                + " file of its own");
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A lock could not be closed", e);
        }
        held.forEach(name -> Holdings.ofJvm().giveBack(name, ""));
        held.clear();
    }
}
