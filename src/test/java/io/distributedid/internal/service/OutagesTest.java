package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutagesTest {

    private static final IdUnavailableException DOWN = new IdUnavailableException("The store restarts");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 50);

    private final AtomicBoolean isOfAll = new AtomicBoolean();

    private final Outages outages = new Outages(isOfAll::get, nanos::get);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void fail(Object what) {
        outages.failed(what, outages.now(), DOWN);
    }

    private boolean isLongerThan(int seconds, Object what) {
        return outages.isLongerThan(Duration.ofSeconds(seconds), what);
    }

    @Test
    void anOutageLastsWhileRequestsFail() {
        for (int i = 0; i < 10; i++) {
            fail("one");
            pass(Duration.ofSeconds(5));
        }
        assertThat(isLongerThan(49, "one")).isTrue();
        assertThat(isLongerThan(50, "one")).isFalse();

        pass(Duration.ofNanos(1));
        fail("one");
        assertThat(isLongerThan(0, "one")).as("nothing was asked for 5 s").isFalse();
    }

    @Test
    void aRequestThatTakesLongGoesOnWithTheOutageInWhichItBegan() {
        fail("one");
        long began = outages.now();
        pass(Duration.ofMinutes(1));
        outages.failed("one", began, DOWN);

        assertThat(isLongerThan(59, "one")).isTrue();
    }

    @Test
    void eachHasItsOwn() {
        fail("one");
        pass(Duration.ofSeconds(1));
        fail("two");

        outages.ended("two");

        assertThat(isLongerThan(0, "one")).isTrue();
        assertThat(outages.failure("one")).contains("The store restarts");
        assertThat(outages.failure("two")).isEmpty();
        outages.ended("one");
        assertThat(outages.failure("one")).isEmpty();
    }

    @Test
    void oneOfAllServersEndsWithTheFirstAnswer() {
        isOfAll.set(true);
        fail("one");
        pass(Duration.ofSeconds(1));
        fail("two");
        assertThat(isLongerThan(0, "two")).isTrue();
        assertThat(outages.failure("three")).contains("The store restarts");

        outages.answered();

        assertThat(outages.failure("one")).isEmpty();
        fail("one");
        outages.ended("two");
        assertThat(outages.failure("one")).isEmpty();
    }

    @Test
    void thoseThatFailedLongestAgoAreForgotten() {
        fail("one");
        fail("two");
        pass(Duration.ofSeconds(1));
        fail("one");
        for (int i = 0; i < Outages.MOST - 1; i++) {
            fail("other" + i);
        }

        assertThat(isLongerThan(0, "one")).isTrue();
        assertThat(outages.failure("two")).isEmpty();
    }
}
