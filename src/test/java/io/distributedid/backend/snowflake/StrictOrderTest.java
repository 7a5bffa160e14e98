package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a {@link SnowflakeGenerator} does otherwise in strict order. */
class StrictOrderTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private static final IdLayout LAYOUT =
            LayoutParser.of(Settings.of(Map.of("distributedid.snowflake.layout", "strict")), NOW);

    private final SettableClock clock = new SettableClock(NOW);

    private final SettableWorker worker =
            new SettableWorker(new Worker.Window(0, clock.millis() - 1_000, clock.millis() + 5_000), true);

    private final SnowflakeGenerator generator = new SnowflakeGenerator(
            new WaitStatistics("orders", System::nanoTime, time -> {}),
            LAYOUT,
            worker,
            clock,
            Duration.ofSeconds(35),
            Duration.ofSeconds(1),
            bound -> 5);

    @Test
    void idsAreCheckedOneByOne() {
        AtomicInteger checks = new AtomicInteger();
        worker.lastsIf(() -> checks.incrementAndGet() > 0);
        long first = generator.next(0);
        for (int i = 1; i < 1_000; i++) {
            assertThat(generator.next(0)).isEqualTo(first + i);
        }
        assertThat(checks).hasValue(1_000);
        assertThat(generator.statistics().issued()).isEqualTo(1_000);
    }

    @Test
    void anIdThatWasTakenTooLateIsDropped() {
        long first = generator.next(0);
        AtomicBoolean isOver = new AtomicBoolean(true);
        worker.lastsIf(() -> !isOver.getAndSet(false));
        Worker.Window next = new Worker.Window(0, clock.millis() - 1_000, clock.millis() + 6_000);
        worker.willRenewTo(next);
        assertThat(generator.next(0)).isEqualTo(first + 2);
        assertThat(worker.asked()).isEqualTo(1);
        assertThat(generator.statistics().issued()).isEqualTo(2);
    }

    @Test
    void aCallThatMustNotWaitGetsNothingTooLate() {
        worker.lastsIf(() -> false);
        assertThat(generator.tryNext(0)).isZero();
        assertThatThrownBy(() -> generator.next(0))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The store is away");
    }

    @Test
    void idsGoOnWhileTheClockLags() {
        long first = generator.next(0);
        clock.move(Duration.ofSeconds(-30));
        assertThat(generator.next(0)).isEqualTo(first + 1);
    }

    @Test
    void aRaiseIsInTheWindowBeforeItReturns() {
        long tick = LAYOUT.tick(clock.millis() + 8_000);
        assertThatThrownBy(() -> generator.raiseAbove(tick)).hasMessage("The store is away");
        assertThat(generator.unused()).isEqualTo(LAYOUT.millis(tick + 1));
        worker.willRenewTo(new Worker.Window(0, clock.millis() - 1_000, clock.millis() + 10_000));
        generator.raiseAbove(tick);
        assertThat(generator.next(0)).isGreaterThan(LAYOUT.compose(tick, 0, 0));
        assertThat(LAYOUT.time().instant(generator.next(0)).toEpochMilli()).isGreaterThan(clock.millis() + 8_000);
    }

    @Test
    void blocksAreRefused() {
        assertThatThrownBy(() -> generator.nextBlock(0, 10))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("strict order");
    }

    @Test
    void idsOfManyThreadsAreInTheOrderOfTheirCalls() throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger left = new AtomicInteger(200_000);
        long[] highest = {0};
        Object monitor = new Object();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                try {
                    while (left.getAndDecrement() > 0) {
                        long before;
                        synchronized (monitor) {
                            before = highest[0];
                        }
                        long id = generator.next(0);
                        assertThat(id).isGreaterThan(before);
                        synchronized (monitor) {
                            highest[0] = Math.max(highest[0], id);
                        }
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        assertThat(failures).isEmpty();
    }
}
