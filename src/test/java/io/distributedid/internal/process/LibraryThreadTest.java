package io.distributedid.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LibraryThreadTest {

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    void theCallersThreadIsNotUsed() throws Exception {
        Thread used = LibraryThread.call(Thread::currentThread);

        assertThat(used).isInstanceOf(LibraryThread.class).isNotSameAs(Thread.currentThread());
        assertThat(used.isDaemon()).isTrue();
        assertThat(used.isAlive()).isFalse();
    }

    @Test
    void oneOfOurOwnIsUsedAsItIs() throws Exception {
        boolean same = LibraryThread.call(() -> {
            Thread outer = Thread.currentThread();
            AtomicReference<Thread> finisher = new AtomicReference<>();
            LibraryThread.finish(() -> finisher.set(Thread.currentThread()));
            return LibraryThread.call(Thread::currentThread) == outer && finisher.get() == outer;
        });

        assertThat(same).isTrue();
    }

    static Throwable[] failures() {
        return new Throwable[] {
            new SQLException("a"),
            new InterruptedException("b"),
            new IllegalStateException("c"),
            new AssertionError("d")
        };
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failuresAreThrownAsTheyAre(Throwable failure) {
        assertThatThrownBy(() -> LibraryThread.call(() -> {
                    if (failure instanceof SQLException e) {
                        throw e;
                    }
                    if (failure instanceof InterruptedException e) {
                        throw e;
                    }
                    if (failure instanceof RuntimeException e) {
                        throw e;
                    }
                    throw (Error) failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void anInterruptedCallerStartsNothing() {
        AtomicBoolean started = new AtomicBoolean();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> LibraryThread.call(() -> started.getAndSet(true)))
                .isInstanceOf(InterruptedException.class);
        assertThat(started).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aCallerWhoIsInterruptedLeavesAndTheWorkGoesOn() throws Exception {
        Thread caller = Thread.currentThread();
        CountDownLatch left = new CountDownLatch(1);
        AtomicReference<Thread> worker = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();

        assertThatThrownBy(() -> LibraryThread.call(() -> {
                    worker.set(Thread.currentThread());
                    caller.interrupt();
                    left.await();
                    return ended.getAndSet(true);
                }))
                .isInstanceOf(InterruptedException.class);
        left.countDown();
        worker.get().join();

        assertThat(ended).isTrue();
    }

    @Test
    void whatMustBeDoneIsDoneForAnInterruptedCaller() {
        AtomicBoolean ended = new AtomicBoolean();
        Thread.currentThread().interrupt();

        LibraryThread.finish(() -> ended.set(true));

        assertThat(ended).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
