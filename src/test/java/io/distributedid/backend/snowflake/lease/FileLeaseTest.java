package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lease from a state file, on the system clock. */
@Tag("slow")
class FileLeaseTest {

    private static final String WORKER_7 = "worker=7";

    @TempDir
    Path folder;

    private final CountDownLatch closing = new CountDownLatch(1);

    private Path file;

    private FileWorkerStore unlocked;

    @BeforeEach
    void another() {
        file = folder.resolve("state");
        InstantSource clock = InstantSource.system();
        CheckedClock checked = new CheckedClock(clock, System::nanoTime, Thread::onSpinWait, "a test");
        unlocked = new FileWorkerStore(file, WORKER_7, new LocalFolder(file), checked, () -> {});
    }

    @Test
    void aSuccessorOfAKilledProcessBeginsWhereItsWindowEnds() throws Exception {
        long until = System.currentTimeMillis() + 300;
        unlocked.compareAndSet(null, row(until));

        Lease lease = open(0);
        assertThat(lease.current().from()).isBetween(until, System.currentTimeMillis());
        lease.release(until);
        assertThat(unlocked.read(7, 7).row(7).reservedUntil()).isGreaterThanOrEqualTo(until);
        assertThat(unlocked.read(7, 7).row(7).isHandedBack()).isTrue();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aStartThatIsNotWantedAnyMoreWaitsNoLonger() throws Exception {
        unlocked.compareAndSet(null, row(System.currentTimeMillis() + 1_900));
        closing.countDown();

        assertThatThrownBy(() -> open(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed, while it waited for a worker number.");
        file = folder.resolve("state");
        assertThatThrownBy(() -> open(0)).as("nobody holds it").hasMessageStartingWith("The source of ids is closed");
    }

    @Test
    void aNumberThatSomebodyRenewsWithoutALockIsRefused() throws Exception {
        WorkerRow first = row(System.currentTimeMillis() + 1_900);
        unlocked.compareAndSet(null, first);
        Thread owner = new Thread(() -> {
            WorkerRow held = first;
            while (closing.getCount() > 0) {
                WorkerRow next = row(System.currentTimeMillis() + 1_900);
                try {
                    if (unlocked.compareAndSet(held, next)) {
                        held = next;
                    }
                } catch (WorkerStoreException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        owner.start();
        try {
            assertThatThrownBy(() -> open(0))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("The state file is in use, though it is not locked: distributedid.snowflake.state_file="
                            + file + " by app1 pid 17. No two processes may have the same worker number. Stop one of"
                            + " them");
        } finally {
            closing.countDown();
            owner.join();
        }
    }

    @Test
    void aFileThatIsFarAheadIsRefusedAtOnce() throws Exception {
        long until = Instant.now().plus(Duration.ofDays(30)).toEpochMilli();
        unlocked.compareAndSet(null, row(until));

        assertThatThrownBy(() -> open(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The clock went back and ids are refused until it is right again: it is ")
                .hasMessageContaining("reserved_until=" + Instant.ofEpochMilli(until)
                        + " (distributedid.snowflake.state_file=" + file
                        + "), allowed: 2000 ms. Set the clock; if it is"
                        + " right, and was ahead before, give this process another worker number and state file");
    }

    @Test
    void interruptsOfTheThreadThatRenewsEndNoRenewal() {
        Lease lease = open(0);
        Thread renewing = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("distributedid-lease"))
                .findFirst()
                .orElseThrow();
        long end = System.currentTimeMillis() + 2_000;
        while (System.currentTimeMillis() < end) {
            renewing.interrupt();
            assertThat(lease.current().worker()).isEqualTo(7);
            Thread.onSpinWait();
        }

        Grant held = lease.current();
        Grant next = held.covers(System.currentTimeMillis()) ? held : lease.await(held);
        assertThat(next.covers(System.currentTimeMillis())).isTrue();
        lease.release(0);
    }

    @Test
    void anInterruptWhileTheClockJumpsEndsTheStartAndReleasesTheFile() {
        AtomicInteger looks = new AtomicInteger();
        InstantSource jumping = () -> {
            if (looks.getAndIncrement() == 0) {
                return Instant.now();
            }
            Thread.currentThread().interrupt();
            return Instant.now().plusSeconds(3_600);
        };

        assertThatThrownBy(() -> FileLease.open(file, WORKER_7, 7, 0, jumping, closing))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("Interrupted while reading the state file: ");
        assertThat(Thread.interrupted()).isTrue();
        open(0).release(0);
    }

    private Lease open(long notBefore) {
        return FileLease.open(file, WORKER_7, 7, notBefore, InstantSource.system(), closing);
    }

    private static WorkerRow row(long until) {
        return new WorkerRow(7, "app1 pid 17", until, UUID.randomUUID().toString());
    }
}
