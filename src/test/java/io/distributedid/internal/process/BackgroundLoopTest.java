package io.distributedid.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BackgroundLoopTest {

    private final AtomicInteger failures = new AtomicInteger();

    private final BackgroundLoop loop =
            new BackgroundLoop(new NoThreads(), "distributedid-test", () -> {}, failure -> reported());

    private static final class NoThreads implements Platform {

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Thread start(String name, Runnable task) {
            throw new OutOfMemoryError("unable to create native thread");
        }
    }

    /** The receiver of failures has a lock that others may hold while they use the loop, as callers of a lease do. */
    @Test
    void whileAFailureIsReportedOthersMayUseTheLoop() {
        loop.keepRunning();

        assertThat(failures).hasValue(1);
    }

    private void reported() {
        failures.incrementAndGet();
        Thread other = new Thread(loop::close);
        other.setDaemon(true);
        other.start();
        Await.until("another thread has closed the loop", () -> !other.isAlive(), other::getState);
    }
}
