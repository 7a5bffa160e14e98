package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.process.ProcessName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A lease of one number whose store is a state file. It follows the same protocol as every lease. Its windows of 900 ms
 * let a successor of a killed process start within a second. The file knows only those who had it: see
 * {@code Worker.unrecordedUse}.
 */
public final class FileLease {

    private static final Duration WINDOW = Duration.ofMillis(900);

    /** The window of a predecessor, and a margin for a clock that NTP has set back. */
    private static final Duration START_WAIT = Duration.ofSeconds(2);

    private static final Duration CALLER_TIMEOUT = Duration.ofSeconds(10);

    private FileLease() {}

    /**
     * Leases the number, and waits until its window begins. The user of the lease releases it.
     *
     * @param of the owner of the file, as in {@code worker=7}
     * @param notBefore the end of a former use that the file does not record; 0 without one
     * @param closing ends the waits when counted down
     * @throws IdUnavailableException if another process uses the number, or the clock is behind its last use
     * @throws io.distributedid.IdConfigurationException if the file can't be used, or has another owner
     */
    public static Lease open(
            Path file, String of, long worker, long notBefore, InstantSource clock, CountDownLatch closing) {
        FileWorkerStore store = FileWorkerStore.open(file, of, clock);
        WorkerRow before = row(store, worker, true);
        long used = Math.max(before == null ? 0 : before.reservedUntil(), notBefore);
        if (used - clock.millis() > START_WAIT.toMillis()) {
            store.close();
            throw clockWentBack(file, of, used, clock);
        }
        try {
            return Lease.open(store, terms(worker), clock, closing);
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
     * Changes the layout of a sequence that the state file records. Returns the text of the old layout.
     *
     * @throws io.distributedid.IdConfigurationException if the new ids would not be larger
     * @throws IdUnavailableException if another process uses the file
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
                CALLER_TIMEOUT,
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
                + " ms. Set the clock; if it is right, and was ahead before, give this process another worker number"
                + " and state file");
    }
}
