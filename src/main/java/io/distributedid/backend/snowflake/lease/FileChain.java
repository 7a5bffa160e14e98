package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that is replaced by compare-and-set, by any number of processes of one machine, without any lock. Beside the
 * path {@code S} it keeps {@code S.1}, {@code S.2}, ..., of which the highest holds, and {@code S.before}, a copy of
 * one that was replaced.
 *
 * <p><b>Protocol.</b> Let b be the number in {@code S.before}, 0 without it. To look, a process reads b,
 * {@code S.(b+1)} and {@code S.(b+2)}, and b again; if b has changed it starts anew. The higher of the two holds; if
 * there is none, and b is 0, nothing does. Names are looked up and not listed, since a listing is no single step. To
 * put a file in the place of {@code S.n} that it has seen, it
 *
 * <ol>
 *   <li>makes sure that b is n-1 or more, by step 5 for n-1;
 *   <li>writes {@code S.(n+1).x}, with an x of its own, and forces it to the disk;
 *   <li>links it to {@code S.(n+1)}: if the name is taken, others were faster;
 *   <li>forces the folder, and reads b: above n, others have gone on meanwhile, and it does not know whether it was
 *       done;
 *   <li>renames {@code S.n.y} to {@code S.before}, where y is as {@code S.n} says; if it is gone, others have done so;
 *   <li>deletes the name {@code S.(n-1)}.
 * </ol>
 *
 * <p><b>Why it holds.</b> {@code S.n.y} becomes {@code S.before} once and never again, and only after {@code S.(n+1)}
 * was linked, which is only after b was n-1 or more. So b grows by one at a time. A name {@code S.k} is deleted only
 * when b is k or more. Let a link to {@code S.(n+1)} succeed while b is n or less: then that name was never deleted, so
 * never there before, nobody has replaced {@code S.n} yet, and nobody else can any more, as long as b is n or less. A
 * link that succeeds when b is above n is a stray: it lies at or below b, where nobody looks, and is not counted by
 * step 4. If b is the same before and after, {@code S.(b+1)} was there all that time, and {@code S.(b+2)}, if it was
 * there, is no stray.
 *
 * <p>After a power failure the folder is as when it was last forced, or later: a name is deleted only after the rename
 * before it was forced.
 */
final class FileChain {

    private static final int MOST_LOOKS = 1_000;

    private static final String BEFORE = "before";

    /** Nothing holds yet. */
    private static final ChainFile NONE = new ChainFile(0, "", "", null, Map.of());

    private static final Pattern NUMBERED = Pattern.compile("([1-9][0-9]{0,17})(\\..+)?");

    /**
     * What a look has found.
     *
     * @param last the file that holds, with number 0 if none does
     * @param behind the one before, if it is not {@code S.before} yet
     */
    record Seen(ChainFile last, @Nullable ChainFile behind) {}

    private final Folder folder;

    private final Path path;

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
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            long floor = floor();
            ChainFile first = file(floor + 1);
            ChainFile second = first == null ? null : file(floor + 2);
            if (floor() == floor) {
                return seen(floor, first, second);
            }
        }
        throw new WorkerStoreException("The state file changes all the time: " + path);
    }

    private Seen seen(long floor, @Nullable ChainFile first, @Nullable ChainFile second) throws WorkerStoreException {
        if (first == null) {
            if (floor > 0) {
                throw removed(Long.toString(floor + 1));
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
        return "Restore it, or give this process another worker number and state file. If the clock is right, and no process of"
                + " this worker number was ahead of it, stop them all and delete all of " + path + ".*";
    }

    /**
     * Puts a file in the place of the last one.
     *
     * @param next comes after {@code seen.last()}
     * @return whether it was done; if not, others were faster
     * @throws IOException if it is not known whether it was done
     * @throws WorkerStoreException if it is not known whether it was done
     */
    boolean replace(Seen seen, ChainFile next) throws IOException, WorkerStoreException {
        ChainFile last = seen.last();
        if (seen.behind() != null) {
            retire(seen.behind());
            if (floor() < last.number() - 1) {
                throw removed(seen.behind().ownName());
            }
        }
        folder.create(next.ownName(), next.encode());
        if (!folder.link(next.ownName(), Long.toString(next.number()))) {
            folder.delete(next.ownName());
            return false;
        }
        folder.force();
        if (floor() > last.number()) {
            throw new WorkerStoreException("Others have replaced the state file meanwhile: " + path);
        }
        if (last.number() > 0) {
            retire(last);
            folder.delete(Long.toString(last.number() - 1));
        }
        return true;
    }

    private void retire(ChainFile replaced) throws IOException {
        folder.rename(replaced.ownName(), BEFORE);
    }

    private long floor() throws IOException {
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
     * Deletes what processes have left that were killed.
     *
     * @throws WorkerStoreException if {@code S.before} was removed, so that what holds can't be found
     */
    void tidy() throws IOException, WorkerStoreException {
        folder.force();
        long floor = floor();
        for (String name : folder.names()) {
            Matcher numbered = NUMBERED.matcher(name);
            if (numbered.matches() && Long.parseLong(numbered.group(1)) <= floor) {
                folder.delete(name);
            } else if (numbered.matches()
                    && numbered.group(2) == null
                    && look().last().number() == 0) {
                throw removed(BEFORE);
            }
        }
    }
}
