package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Only the end of a lease ends its renewal, and each failure is reported. On the system clock, with windows of a
 * second.
 */
@Tag("slow")
class LeaseSurvivalTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String NO_THREAD = "unable to create native thread: possibly out of memory";

    private final MemoryStore store = new MemoryStore(InstantSource.system());

    private final AtomicInteger threads = new AtomicInteger();

    private Lease lease;

    @AfterEach
    void release() {
        store.breaksWith(null);
        lease.release(0);
    }

    static Throwable[] failures() {
        return new Throwable[] {
            new OutOfMemoryError(NO_THREAD),
            new StackOverflowError(),
            new NoClassDefFoundError("com/example/Driver"),
            new IllegalStateException("the pool is closed"),
            new IOException("not declared"),
            new WorkerStoreException("memory said: connection refused")
        };
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whateverTheStoreThrowsIsSaidAndTheRenewalGoesOn(Throwable failure) {
        open(Thread::new, false);
        store.breaksWith(failure);
        Await.until("it fails", () -> failure().isPresent());
        assertThat(failure().orElseThrow())
                .isEqualTo(failure instanceof WorkerStoreException ? failure.getMessage() : failure.toString());

        store.breaksWith(null);
        awaitRenewal();
        assertThat(failure()).isEmpty();
    }

    @Test
    void aThreadThatIsInterruptedWhileItWaitsGoesOn() {
        open(Thread::new, false);
        awaitRenewal();
        for (int interrupts = 0; interrupts < 3; interrupts++) {
            renewing().interrupt();
            awaitRenewal();
        }

        assertThat(renewing().isInterrupted()).isFalse();
        assertThat(failure()).isEmpty();
    }

    @Test
    void aThreadThatIsInterruptedWhileItTalksToTheStoreGoesOn() {
        open(Thread::new, false);
        store.breaksWith(new InterruptedException("by a pool"));
        Grant held = lease.current();
        Await.until("the window ends", () -> !held.covers(System.currentTimeMillis()));
        store.breaksWith(null);

        awaitRenewal();
        assertThat(failure()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadThatCouldNotBeStartedIsSaidAndStartedAgain(boolean whileUsed) {
        open(this::failsOnce, whileUsed);
        assertThat(failure()).contains("java.lang.OutOfMemoryError: " + NO_THREAD);

        awaitRenewal();
        assertThat(failure()).isEmpty();
        assertThat(threads).hasValue(2);
    }

    @Test
    void aThreadThatCanNotBeStartedIsSaidToThoseWhoWait() {
        open(this::fails, false);
        Grant held = lease.current();
        Await.until("the window ends", () -> !held.covers(System.currentTimeMillis()));

        assertThatThrownBy(() -> lease.await(held))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The window of the worker number has ended and there is no other yet: ")
                .hasMessageEndingWith(". java.lang.OutOfMemoryError: " + NO_THREAD);
    }

    @Test
    void whoWaitsForAWindowStartsTheThreadAgain() {
        open(this::failsOnce, false);
        Grant held = lease.current();
        // Nobody looks at the statistics.
        Await.until("the window has ended long ago", () -> System.currentTimeMillis() - held.until() > 600);

        assertThat(lease.await(held).covers(System.currentTimeMillis())).isTrue();
    }

    @Test
    void aThreadThatHasDiedIsSaidAndStartedAgain() {
        open(task -> new Thread(threads.incrementAndGet() == 1 ? () -> {} : task, "distributedid-lease"), false);
        Await.until("it fails", () -> failure().isPresent());
        assertThat(failure())
                .contains("java.lang.IllegalStateException: The thread has ended, and is started again:"
                        + " thread=distributedid-lease");

        awaitRenewal();
        assertThat(failure()).isEmpty();
        assertThat(threads).hasValue(2);
    }

    private Thread failsOnce(Runnable task) {
        return threads.get() == 0 ? fails(task) : started(task);
    }

    private Thread started(Runnable task) {
        threads.incrementAndGet();
        return new Thread(task);
    }

    private Thread fails(Runnable task) {
        threads.incrementAndGet();
        return new Thread(task) {
            @Override
            public void start() {
                throw new OutOfMemoryError(NO_THREAD);
            }
        };
    }

    private void open(ThreadFactory threads, boolean whileUsed) {
        LeaseTerms terms = new LeaseTerms(
                new LeaseProtocol(1_000, 0, 3, false), Duration.ofMillis(250), Duration.ZERO, PATIENCE, whileUsed);
        InstantSource clock = InstantSource.system();
        lease = Lease.open(new StoreClient(store, terms, clock), terms, clock, new CountDownLatch(1), threads);
    }

    private Thread renewing() {
        return Objects.requireNonNull(store.reader());
    }

    private Optional<String> failure() {
        return lease.statistics(InstantSource.system().instant()).failure();
    }

    private void awaitRenewal() {
        Grant held = lease.current();
        Await.until(
                "it is renewed",
                () -> lease.current().until() > held.until() && failure().isEmpty(),
                this::failure);
    }
}
