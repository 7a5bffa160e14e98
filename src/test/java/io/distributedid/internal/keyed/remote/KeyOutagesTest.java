package io.distributedid.internal.keyed.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.keyed.remote.KeySpot.Want;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeyOutagesTest {

    private static final Duration TIMEOUT = Duration.ofNanos(100);

    private static final KeySpot ONE = new KeySpot("messages", "1", Want.NUMBERS);

    private static final KeySpot TWO = new KeySpot("messages", "2", Want.NUMBERS);

    private static final long START = Long.MAX_VALUE - 50;

    private final AtomicLong now = new AtomicLong(START);

    private final KeyOutages outages = new KeyOutages(now::get);

    private long failed(KeySpot spot, boolean isOfAll) {
        return outages.failed(spot, isOfAll, now.get(), TIMEOUT, "The store restarts");
    }

    @Test
    void anOutageLastsWhileRoundsFail() {
        for (int i = 0; i < 10; i++) {
            assertThat(failed(ONE, false)).isEqualTo(100 * i);
            now.addAndGet(100);
        }
        now.addAndGet(1);
        assertThat(failed(ONE, false)).isZero();
    }

    @Test
    void aLaterRoundOfTheSameCallGoesOnWithItsOutage() {
        failed(ONE, false);
        now.addAndGet(1_000);

        assertThat(outages.failed(ONE, false, START, TIMEOUT, "The store restarts"))
                .isEqualTo(1_000);
    }

    @Test
    void eachKeyOfASequenceHasItsOwn() {
        failed(ONE, false);
        now.addAndGet(10);

        assertThat(failed(TWO, false)).isZero();
        assertThat(failed(new KeySpot("likes", "1", Want.NUMBERS), false)).isZero();
        outages.succeeded(TWO);
        assertThat(failed(new KeySpot("messages", "1", Want.LAST), false)).isEqualTo(10);
    }

    @Test
    void oneOfAllServersEndsWithTheFirstAnswer() {
        failed(ONE, true);
        now.addAndGet(10);
        assertThat(failed(TWO, true)).isEqualTo(10);

        outages.answered();

        assertThat(failed(ONE, true)).isZero();
        now.addAndGet(10);
        outages.succeeded(TWO);
        assertThat(failed(ONE, true)).isZero();
    }

    @Test
    void theReasonIsThatOfTheKey() {
        assertThat(outages.failure(ONE)).isEqualTo("The service has not answered yet");
        failed(ONE, false);

        assertThat(outages.failure(ONE)).isEqualTo("The store restarts");
        assertThat(outages.failure(TWO)).isEqualTo("The service has not answered yet");
        outages.succeeded(ONE);
        assertThat(outages.failure(ONE)).isEqualTo("The service has not answered yet");
    }

    @Test
    void theKeysThatFailedLongestAgoAreForgotten() {
        failed(ONE, false);
        failed(TWO, false);
        now.addAndGet(10);
        failed(ONE, false);
        for (int i = 0; i < KeyOutages.MOST - 1; i++) {
            failed(new KeySpot("messages", "other" + i, Want.NUMBERS), false);
        }

        assertThat(failed(ONE, false)).isEqualTo(10);
        assertThat(failed(TWO, false)).isZero();
    }
}
