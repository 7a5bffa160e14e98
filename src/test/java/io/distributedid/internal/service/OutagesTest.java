package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdConfigurationException;
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
        outages.ended(what, nanos.get(), DOWN);
    }

    private void succeed(Object what) {
        outages.ended(what, nanos.get(), null);
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
        long began = nanos.get();
        pass(Duration.ofMinutes(1));
        outages.ended("one", began, DOWN);

        assertThat(isLongerThan(59, "one")).isTrue();
    }

    @Test
    void eachHasItsOwn() {
        fail("one");
        pass(Duration.ofSeconds(1));
        fail("two");

        succeed("two");

        assertThat(isLongerThan(0, "one")).isTrue();
        assertThat(outages.failure("one")).contains("The store restarts");
        assertThat(outages.failure("two")).isEmpty();
        succeed("one");
        assertThat(outages.failure("one")).isEmpty();
    }

    @Test
    void aRefusalEndsIt() {
        fail("one");
        outages.ended("one", nanos.get(), new IdConfigurationException("no such sequence"));

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

        isOfAll.set(false);

        assertThat(outages.failure("one")).isEmpty();
        isOfAll.set(true);
        fail("one");
        succeed("two");
        assertThat(outages.failure("one")).isEmpty();
    }

    @Test
    void oneOfAllServersIsOverIfAServerAnswersThoughItGivesNothing() {
        isOfAll.set(true);
        fail("one");
        pass(Duration.ofSeconds(1));
        isOfAll.set(false);
        fail("two");
        isOfAll.set(true);
        fail("one");

        assertThat(isLongerThan(0, "one")).isFalse();
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
