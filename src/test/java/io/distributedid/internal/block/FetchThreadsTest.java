package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.process.LibraryThread;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FetchThreadsTest {

    private static final Duration SOON = Duration.ofMillis(1);

    private static final long PATIENCE_SECONDS = 20;

    private final AtomicInteger refused = new AtomicInteger();

    private FetchThreads threads = new FetchThreads();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void whatIsDueIsDoneThoughNoThreadCouldBeStartedForIt() throws Exception {
        threads = new FetchThreads(this::refusedTwice);
        CountDownLatch done = new CountDownLatch(1);
        threads.executeAfter(SOON, done::countDown);

        assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("done").isTrue();
        assertThat(refused).hasValue(2);
    }

    @Test
    void whatIsDoneAgainAndAgainGoesOnAfterAnError() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        threads.every(SOON, () -> {
            rounds.countDown();
            throw new OutOfMemoryError("unable to create native thread");
        });

        assertThat(rounds.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("goes on")
                .isTrue();
    }

    private Thread refusedTwice(String name, Runnable task) {
        if (name.startsWith("distributedid-timer") || refused.get() == 2) {
            return LibraryThread.named(name, task);
        }
        refused.incrementAndGet();
        return new Thread(task) {
            @Override
            public void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
    }
}
