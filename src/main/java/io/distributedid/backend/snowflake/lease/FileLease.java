package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A lease of one number whose store is a state file: the same protocol as every lease, with windows of 900 ms, so that
 * a process that was killed is followed by another within a second.
 *
 * @param lease to be released by its user
 * @param isFresh whether it is known up to when the number was used before
 */
public record FileLease(Lease lease, boolean isFresh) {

    private static final Duration WINDOW = Duration.ofMillis(900);

    /** A window that a predecessor had, and a little for a clock that was set back by NTP. */
    private static final Duration START_WAIT = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Takes a number.
     *
     * @param file the path of the state file
     * @param of whose it is: {@code worker=7}
     * @param worker the number
     * @param notBefore the number was used up to here by a predecessor that the file does not know; 0 if by none
     * @param clock the local one
     * @param closing counted down when nobody wants it any more
     * @return with a window that has begun, unless nobody wants it
     * @throws IdUnavailableException if somebody else uses the number, or the clock is behind its last use
     * @throws io.distributedid.IdConfigurationException if the file can't be used, or is another number's
     */
    public static FileLease open(
            Path file, String of, long worker, long notBefore, InstantSource clock, CountDownLatch closing) {
        FileWorkerStore store = FileWorkerStore.open(file, of, clock);
        WorkerRow before = row(store, worker, true);
        long used = Math.max(before == null ? 0 : before.reservedUntil(), notBefore);
        if (used - clock.millis() > START_WAIT.toMillis()) {
            store.close();
            throw clockWentBack(file, of, used, clock);
        }
        try {
            return new FileLease(Lease.open(store, terms(worker), clock, closing), before != null || notBefore > 0);
        } catch (IdUnavailableException e) {
            WorkerRow now = row(store, worker, false);
            if (now != null && !now.equals(before) && !now.owner().equals(ProcessName.ofProcess())) {
                throw new IdUnavailableException(
                        "The state file is in use, though it is not locked: distributedid.snowflake.state_file=" + file
                                + " by " + now.owner()
                                + ". No two processes may have the same worker number. Stop one of them",
                        e);
            }
            throw e instanceof NoFreeWorkerException ? clockWentBack(file, of, used, clock) : e;
        }
    }

    /**
     * Gives a sequence another layout in the record of a state file, which nobody may use.
     *
     * @param file the path of the state file
     * @param of whose it is: {@code worker=7}
     * @param worker the number
     * @param sequence its name
     * @param layout the new one
     * @param clock the local one
     * @return the old one, as text
     * @throws io.distributedid.IdConfigurationException if the new ids would not be larger
     * @throws IdUnavailableException if somebody uses the file
     */
    public static String changeLayout(
            Path file, String of, long worker, String sequence, IdLayout layout, InstantSource clock) {
        try (FileWorkerStore store = FileWorkerStore.open(file, of, clock)) {
            return new LayoutChange(store, terms(worker), sequence, false).run(layout);
        }
    }

    private static LeaseTerms terms(long worker) {
        return new LeaseTerms(
                new LeaseProtocol(WINDOW.toMillis(), worker, worker, false),
                Duration.ofMillis(CheckedClock.JUMP_MILLIS),
                START_WAIT,
                PATIENCE,
                true);
    }

    private static @Nullable WorkerRow row(FileWorkerStore store, long worker, boolean closeIfFailed) {
        boolean done = false;
        try {
            WorkerRow row = store.read(worker, worker).row(worker);
            done = true;
            return row;
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the state file: " + store.label(), e);
        } finally {
            if (!done && closeIfFailed) {
                store.close();
            }
        }
    }

    private static IdUnavailableException clockWentBack(Path file, String of, long used, InstantSource clock) {
        Instant now = clock.instant();
        return new IdUnavailableException("The clock went back and ids are refused until it is right again: it is "
                + (used - now.toEpochMilli()) + " ms behind the time up to which " + of + " was reserved, clock=" + now
                + ", reserved_until=" + Instant.ofEpochMilli(used) + " (distributedid.snowflake.state_file=" + file
                + "), allowed: " + START_WAIT.toMillis()
                + " ms. Set the clock; if it is right, and was ahead before, give this process another worker number and"
                + " state file");
    }
}
