package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutageTest {

    private static final IdUnavailableException DOWN = new IdUnavailableException("The store restarts");

    private final Outage outage = new Outage();

    private long nanos = Long.MAX_VALUE - 50;

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private void fail() {
        outage.ended(nanos, nanos, DOWN);
    }

    private boolean isLongerThan(int seconds) {
        return outage.isLongerThan(Duration.ofSeconds(seconds), nanos);
    }

    @Test
    void itLastsWhileRequestsFail() {
        for (int i = 0; i < 10; i++) {
            fail();
            pass(Duration.ofSeconds(5));
        }
        assertThat(isLongerThan(49)).isTrue();
        assertThat(isLongerThan(50)).isFalse();
        assertThat(outage.failure()).contains(DOWN);

        pass(Duration.ofNanos(1));
        fail();
        assertThat(isLongerThan(0)).as("nothing was asked for 5 s").isFalse();
    }

    @Test
    void aRequestThatTakesLongGoesOnWithTheOutageInWhichItBegan() {
        fail();
        long began = nanos;
        pass(Duration.ofMinutes(1));
        outage.ended(began, nanos, DOWN);

        assertThat(isLongerThan(59)).isTrue();
    }

    @Test
    void aSuccessOrARefusalEndsIt() {
        fail();
        outage.ended(nanos, nanos, new IdConfigurationException("no such sequence"));
        assertThat(outage.failure()).isEmpty();

        fail();
        outage.ended(nanos, nanos, null);
        assertThat(outage.failure()).isEmpty();
    }
}
