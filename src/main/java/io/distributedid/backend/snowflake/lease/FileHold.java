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
 * Keeps others from a state file while it is used, so that they are told at once: processes by a lock on
 * {@code S.lock}, and other users in this JVM by the file's path and identity among the {@link Holdings}. The lock is
 * lost as soon as anybody in this JVM closes any descriptor of {@code S.lock}, even one that has only read it. So the
 * file is opened only if nobody here holds it; but nothing rests on the lock: see {@link FileChain}.
 */
final class FileHold implements AutoCloseable {

    private static final Logger LOG = System.getLogger(FileHold.class.getName());

    /** Closing one would end the lock of somebody whom we don't know. */
    private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

    private final List<String> held = new ArrayList<>();

    private @Nullable FileChannel channel;

    private FileHold() {}

    /**
     * Holds a state file.
     *
     * @param lock beside it, with no link in its path
     * @param said the state file, for messages
     * @throws IdUnavailableException if somebody else holds it
     */
    static FileHold take(Path lock, Path said) throws IOException {
        FileHold hold = new FileHold();
        boolean done = false;
        try {
            hold.open(lock, said);
            done = true;
            return hold;
        } finally {
            if (!done) {
                hold.close();
            }
        }
    }

    private void open(Path lock, Path said) throws IOException {
        hold("file " + lock, said);
        try {
            Files.createFile(lock);
        } catch (FileAlreadyExistsException e) {
            LOG.log(Level.DEBUG, "The state file was used before: {0}", said);
        }
        // The same file may have several paths.
        Object key = Files.readAttributes(lock, BasicFileAttributes.class).fileKey();
        if (key != null) {
            hold("file " + key, said);
        }
        FileChannel opened = FileChannel.open(lock, StandardOpenOption.WRITE);
        try {
            if (opened.tryLock() == null) {
                opened.close();
                throw inUse(said);
            }
        } catch (OverlappingFileLockException e) {
            NEVER_CLOSED.add(opened);
            throw inUse(said);
        }
        channel = opened;
    }

    private void hold(String name, Path said) {
        if (Holdings.ofJvm().take(name).isEmpty()) {
            throw inUse(said);
        }
        held.add(name);
    }

    private static IdUnavailableException inUse(Path said) {
        return new IdUnavailableException(
                "The state file is in use: distributedid.snowflake.state_file=" + said
                        + ". No two processes, or persistence units, may have the same worker number, and each has a file of its own");
    }

    /** Lets others have it. */
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
