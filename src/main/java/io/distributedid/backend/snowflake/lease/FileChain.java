package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that any number of processes of one machine replace by compare-and-set, without a lock. Beside the path
 * {@code S} it keeps {@code S.1}, {@code S.2}, ..., of which the highest is valid, and {@code S.before}, a replaced
 * one.
 *
 * <p><b>Protocol.</b> Let b be the file number in {@code S.before}; 0 if there is no such file. To look, a process
 * reads b, {@code S.(b+1)}, {@code S.(b+2)}, and b again. If b has changed it starts anew. The higher of the two files
 * is valid. If there is none and b is 0, no file is valid yet. It looks names up and does not list them, since a
 * listing is not atomic. To replace {@code S.n}, which it has seen, the process
 *
 * <ol>
 *   <li>makes sure that b is n-1 or more, by step 5 for n-1;
 *   <li>writes {@code S.(n+1).x}, with a unique x, and forces it to the disk;
 *   <li>links it to {@code S.(n+1)}; if that name exists, another process was faster;
 *   <li>forces the folder, and reads b; if b is above n, other processes have gone on meanwhile, and it is unknown
 *       whether the replacement was done;
 *   <li>renames {@code S.n.y} to {@code S.before}, where y is read from {@code S.n}; if the file is gone, another
 *       process has renamed it;
 *   <li>deletes the name {@code S.(n-1)}.
 * </ol>
 *
 * <p><b>Why it holds.</b> {@code S.n.y} becomes {@code S.before} once and never again. That happens only after
 * {@code S.(n+1)} was linked, which happens only after b was n-1 or more. So b grows by one at a time. A name
 * {@code S.k} is deleted only when b is k or more. Let a link to {@code S.(n+1)} succeed while b is n or less. Then
 * that name was never deleted, so it never existed before. So no process has replaced {@code S.n} yet, and no other
 * process can as long as b is n or less. A link that succeeds when b is above n is a stray: it lies at or below b,
 * where no process looks, and step 4 does not count it. If b is the same before and after a look, {@code S.(b+1)}
 * existed all that time, and {@code S.(b+2)}, if it existed, is no stray.
 *
 * <p><b>Power failures.</b> Afterwards the folder is in the state of its last force, or a later one. A name is deleted
 * only after the rename before it was forced. If a force fails, the process does not know whether the file that it has
 * linked is on the disk. So it forces the folder before its next look, and that fails if the force fails. A new process
 * does the same, since others may have been killed before they forced theirs. Thus no look shows a process a file of
 * its own that a power failure may undo.
 */
final class FileChain {

    private static final int MOST_LOOKS = 1_000;

    private static final String BEFORE = "before";

    /** Stands for the valid file while there is none. */
    private static final ChainFile NONE = new ChainFile(0, "", "", null, Map.of());

    private static final Pattern NUMBERED = Pattern.compile("([1-9][0-9]{0,17})(\\..+)?");

    /**
     * The result of a look.
     *
     * @param last the valid file, with number 0 if there is none
     * @param behind the file before, if it is not {@code S.before} yet
     */
    record Seen(ChainFile last, @Nullable ChainFile behind) {}

    private final Folder folder;

    private final Path path;

    /** Whether a file may be linked that is not forced to the disk. True at first: others may have linked it. */
    private boolean isUnforced = true;

    /** @param path for messages */
    FileChain(Folder folder, Path path) {
        this.folder = folder;
        this.path = path;
    }

    /**
     * @throws WorkerStoreException if a file is missing
     * @throws IdConfigurationException if a file is not as it was written
     */
    Seen look() throws IOException, WorkerStoreException {
        if (isUnforced) {
            force();
        }
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            long before = beforeNumber();
            ChainFile first = file(before + 1);
            ChainFile second = first == null ? null : file(before + 2);
            if (beforeNumber() == before) {
                return seen(before, first, second);
            }
        }
        throw new WorkerStoreException("The state file changes all the time: " + path);
    }

    private Seen seen(long before, @Nullable ChainFile first, @Nullable ChainFile second) throws WorkerStoreException {
        if (first == null) {
            if (before > 0) {
                throw removed(Long.toString(before + 1));
            }
            return new Seen(NONE, null);
        }
        return second == null ? new Seen(first, null) : new Seen(second, first);
    }

    private WorkerStoreException removed(String name) {
        return new WorkerStoreException("A file beside the state file was removed: distributedid.snowflake.state_file="
                + path + ", missing: " + path + "." + name + ". " + remedy());
    }

    private String remedy() {
        return "Restore it, or give this process another worker number and state file. If the clock is right, and no"
                + " process of this worker number was ahead of it, stop them all and delete all of " + path + ".*";
    }

    /**
     * Replaces {@code seen.last()} by {@code next}, which has the next number. Returns false if another process was
     * faster.
     *
     * @throws IOException if it is unknown whether the file was replaced
     * @throws WorkerStoreException if it is unknown whether the file was replaced
     */
    boolean replace(Seen seen, ChainFile next) throws IOException, WorkerStoreException {
        ChainFile last = seen.last();
        if (seen.behind() != null) {
            retire(seen.behind());
            if (beforeNumber() < last.number() - 1) {
                throw removed(seen.behind().ownName());
            }
        }
        folder.create(next.ownName(), next.encode());
        if (!link(next)) {
            folder.delete(next.ownName());
            return false;
        }
        force();
        if (beforeNumber() > last.number()) {
            throw new WorkerStoreException("Others have replaced the state file meanwhile: " + path);
        }
        if (last.number() > 0) {
            retire(last);
            folder.delete(Long.toString(last.number() - 1));
        }
        return true;
    }

    private boolean link(ChainFile next) throws IOException {
        String name = Long.toString(next.number());
        isUnforced = true;
        try {
            return folder.link(next.ownName(), name);
        } catch (IOException e) {
            deleteUnlinked(next.ownName(), name, e);
            throw e;
        }
    }

    /** A file that was linked, whatever the answer, must keep its own name. */
    private void deleteUnlinked(String file, String name, IOException cause) {
        try {
            if (folder.read(name).isEmpty()) {
                folder.delete(file);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void force() throws IOException {
        folder.force();
        isUnforced = false;
    }

    private void retire(ChainFile replaced) throws IOException {
        folder.rename(replaced.ownName(), BEFORE);
    }

    private long beforeNumber() throws IOException {
        ChainFile before = decoded(BEFORE);
        return before == null ? 0 : before.number();
    }

    private @Nullable ChainFile file(long number) throws IOException {
        ChainFile file = decoded(Long.toString(number));
        if (file != null && file.number() != number) {
            throw unreadable(Long.toString(number));
        }
        return file;
    }

    private @Nullable ChainFile decoded(String name) throws IOException {
        byte[] content = folder.read(name).orElse(null);
        return content == null ? null : ChainFile.decode(content).orElseThrow(() -> unreadable(name));
    }

    private IdConfigurationException unreadable(String name) {
        return new IdConfigurationException("The state file can't be read: distributedid.snowflake.state_file=" + path
                + ", damaged: " + path + "." + name + ". " + remedy());
    }

    /**
     * Deletes files left by killed processes.
     *
     * @throws WorkerStoreException if {@code S.before} was removed, so that the valid file can't be found
     */
    void tidy() throws IOException, WorkerStoreException {
        force();
        long before = beforeNumber();
        for (String name : folder.names()) {
            Matcher numbered = NUMBERED.matcher(name);
            if (numbered.matches() && Long.parseLong(numbered.group(1)) <= before) {
                folder.delete(name);
            } else if (numbered.matches()
                    && numbered.group(2) == null
                    && look().last().number() == 0) {
                throw removed(BEFORE);
            }
        }
    }
}
