package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A test that fails says what it waited for, what it saw, and what broke first. */
class AwaitTest {

    @Test
    void aConditionThatNeverComesIsToldWithWhatWasSeen() {
        AtomicInteger looks = new AtomicInteger();

        assertThatThrownBy(() -> Await.every(
                        Duration.ofMillis(1),
                        Duration.ofMillis(20),
                        "all are there",
                        () -> looks.incrementAndGet() < 0,
                        () -> "2 of 3"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("Waited 0 s until all are there. Seen last: 2 of 3");
        assertThat(looks).hasPositiveValue();
    }

    @Test
    void anErrorOfTheConditionComesFirst() {
        assertThatThrownBy(() -> Await.until("all are there", () -> {
                    throw new IOException("the disk is full");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("java.io.IOException: the disk is full, while waiting until all are there")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void ofThreadsThatBeginTogetherTheFirstErrorIsThrownAtOnce() {
        CountDownLatch never = new CountDownLatch(1);

        assertThatThrownBy(() -> Together.<Void>runPrepared(4, (number, start) -> {
                    if (number == 2) {
                        throw new IOException("the connection broke");
                    }
                    start.await();
                    never.await();
                    return null;
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the connection broke");
    }

    @Test
    void resultsComeInTheOrderOfTheThreads() throws Exception {
        assertThat(Together.run(3, number -> number * 10)).containsExactly(0, 10, 20);
    }
}
