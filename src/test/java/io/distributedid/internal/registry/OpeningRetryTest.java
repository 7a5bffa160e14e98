package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Opening a sequence waits for servers that do not answer, and for no other failure. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpeningRetryTest {

    private static final SQLException REFUSED = new SQLException("connection refused", "08001");

    private static final AtomicInteger ATTEMPTS = new AtomicInteger();

    /** What the next attempts throw; none once it is empty. */
    private static final Queue<Supplier<RuntimeException>> FAILURES = new ConcurrentLinkedQueue<>();

    /** What all attempts throw, unless null. */
    private static volatile Supplier<RuntimeException> always;

    private static volatile CountDownLatch gate;

    /** A backend whose servers are down for a while. */
    public static final class DownBackendProvider implements BackendProvider {

        public DownBackendProvider() {}

        @Override
        public String name() {
            return "down";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of();
        }

        @Override
        public Backend create(BackendContext context) {
            return new Backend() {
                @Override
                public IdSource open(Sequence sequence) {
                    ATTEMPTS.incrementAndGet();
                    awaitGate();
                    Supplier<RuntimeException> failure = always == null ? FAILURES.poll() : always;
                    if (failure != null) {
                        throw failure.get();
                    }
                    return () -> 42;
                }

                @Override
                public DecodedId decode(Sequence sequence, long id) {
                    return new DecodedId(id, null, Map.of());
                }

                @Override
                public void close() {}
            };
        }
    }

    private static void awaitGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void reset() {
        ATTEMPTS.set(0);
        FAILURES.clear();
        always = null;
        gate = new CountDownLatch(0);
    }

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    void serversThatDoNotAnswerYetAreTriedAgain() {
        for (int failures = 0; failures < 3; failures++) {
            FAILURES.add(OpeningRetryTest::down);
        }
        try (DistributedIds ids = open("60s")) {
            assertThat(ids.next("photos")).isEqualTo(42);

            assertThat(ATTEMPTS).hasValue(4);
            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.UP);
        }
    }

    @Test
    void afterTheTimeoutTheStartFailsWithTheLastReason() {
        FAILURES.add(OpeningRetryTest::down);
        FAILURES.add(OpeningRetryTest::down);
        for (int failures = 0; failures < 1_000; failures++) {
            FAILURES.add(() -> new IdUnavailableException("the last reason", REFUSED));
        }
        try (DistributedIds ids = open("300ms")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("the last reason");

            assertThat(ATTEMPTS).hasValueGreaterThan(2);
        }
    }

    @Test
    void healthSaysItMeanwhile() throws Exception {
        always = OpeningRetryTest::down;
        try (DistributedIds ids = open("60s")) {
            Thread opener = start(() -> ids.next("photos"));
            Await.until("the health is known", () -> ids.health().status() == IdHealth.Status.DOWN);
            assertThat(ids.health().sequences().get(0).reason())
                    .isEqualTo("the sequence could not be opened: No server gives ids");

            always = null;
            opener.join();
            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.UP);
        }
    }

    static List<RuntimeException> refusals() {
        return List.of(
                new IdConfigurationException("the layout is another one", REFUSED),
                new IdsExhaustedException("no ids are left"),
                new IdUnavailableException("the state file is in use"),
                new IdUnavailableException("the state file is in use", new IdUnavailableException("taken")),
                new IdUnavailableException("interrupted", new InterruptedException()),
                new IdUnavailableException("denied", new SQLException("access denied", "28000", 1045)),
                new IdUnavailableException("unknown", new IOException(new SQLException("no such database", "3D000"))),
                new IdUnavailableException("unknown", new SQLException("unknown database", "42000", 1049)));
    }

    static List<Throwable> permanentErrors() {
        return List.of(
                new IOException(new SQLException("INSERT command denied", "42000", 1142)),
                new SQLException("BINLOG_FORMAT = STATEMENT", "HY000", 1665));
    }

    @ParameterizedTest
    @MethodSource("permanentErrors")
    void whatAnOperatorMustEndIsAnErrorOfTheConfigurationAtOnce(Throwable cause) {
        IdUnavailableException failure = new IdUnavailableException("No server gives ids", cause);
        always = () -> failure;
        try (DistributedIds ids = open("60s")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("No server gives ids")
                    .hasCause(failure);

            assertThat(ATTEMPTS).hasValue(1);
            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.DOWN);
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatWillNotPassFailsAtOnce(RuntimeException refusal) {
        always = () -> refusal;
        try (DistributedIds ids = open("60s")) {
            assertThatThrownBy(() -> ids.next("photos")).isSameAs(refusal);

            assertThat(ATTEMPTS).hasValue(1);
            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.DOWN);
        }
    }

    @Test
    void oneServerThatMayComeBackIsWaitedForBesideOneThatRefuses() {
        IdUnavailableException both =
                new IdUnavailableException("both", new SQLException("access denied", "28000", 1045));
        both.addSuppressed(REFUSED);
        FAILURES.add(() -> both);
        try (DistributedIds ids = open("60s")) {
            assertThat(ids.next("photos")).isEqualTo(42);
        }
    }

    @Test
    void theEndEndsTheWait() throws Exception {
        always = OpeningRetryTest::down;
        DistributedIds ids = open("10m");
        List<Throwable> thrown = new ArrayList<>();
        Thread opener = start(() -> {
            try {
                ids.next("photos");
            } catch (IdUnavailableException e) {
                thrown.add(e);
            }
        });
        Await.until("it is tried again", () -> ATTEMPTS.get() > 1);
        ids.close();
        opener.join();

        assertThat(thrown)
                .singleElement()
                .satisfies(e ->
                        assertThat(e).hasMessage("The source of ids is closed: sequence 'photos' (DistributedIds)"));
    }

    @Test
    void anInterruptEndsTheWait() {
        FAILURES.add(() -> {
            Thread.currentThread().interrupt();
            return down();
        });
        try (DistributedIds ids = open("10m")) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("Interrupted while waiting for servers that do not answer: sequence 'photos'"
                            + " (DistributedIds). No server gives ids");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        }
    }

    @Test
    void theWaitsOfManyCallersAreOneWait() throws Exception {
        always = OpeningRetryTest::down;
        gate = new CountDownLatch(1);
        try (DistributedIds ids = open("10ms")) {
            List<Thread> callers = new ArrayList<>();
            List<String> said = new ArrayList<>();
            for (int caller = 0; caller < 20; caller++) {
                callers.add(start(() -> {
                    try {
                        ids.next("photos");
                    } catch (IdUnavailableException e) {
                        synchronized (said) {
                            said.add(e.getMessage());
                        }
                    }
                }));
            }
            Await.until("the attempt has begun", () -> ATTEMPTS.get() == 1);
            Await.until(
                    "all callers wait",
                    () -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));
            long waited = System.nanoTime();
            Await.until("they have waited for long", () -> System.nanoTime() - waited > 20_000_000);
            gate.countDown();
            for (Thread caller : callers) {
                caller.join();
            }

            assertThat(said).hasSize(20).containsOnly("No server gives ids");
            assertThat(ATTEMPTS).as("attempts").hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("refusalsOfSettings")
    void whoWaitedLongForAnAttemptThatIsRefusedGetsTheRefusal(DistributedIdException refusal) throws Exception {
        always = () -> refusal;
        gate = new CountDownLatch(1);
        try (DistributedIds ids = open("10ms")) {
            Queue<DistributedIdException> thrown = new ConcurrentLinkedQueue<>();
            List<Thread> callers = new ArrayList<>();
            for (int caller = 0; caller < 5; caller++) {
                callers.add(start(() -> {
                    try {
                        ids.next("photos");
                    } catch (DistributedIdException e) {
                        thrown.add(e);
                    }
                }));
            }
            Await.until("the attempt has begun", () -> ATTEMPTS.get() == 1);
            Await.until(
                    "all callers wait",
                    () -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));
            long waited = System.nanoTime();
            Await.until("they have waited for long", () -> System.nanoTime() - waited > 20_000_000);
            gate.countDown();
            for (Thread caller : callers) {
                caller.join();
            }

            assertThat(thrown)
                    .hasSize(5)
                    .allSatisfy(each -> assertThat(each).hasSameClassAs(refusal).hasMessage(refusal.getMessage()));
            assertThat(ATTEMPTS).hasValue(1);
        }
    }

    static List<DistributedIdException> refusalsOfSettings() {
        return List.of(
                new IdConfigurationException("the layout is another one"),
                new IdsExhaustedException("no ids are left"));
    }

    @Test
    void aRefusalBeginsNoOutage() {
        FAILURES.add(() -> new IdConfigurationException("the layout is another one"));
        try (DistributedIds ids = open("1s")) {
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdConfigurationException.class);
            long refused = System.nanoTime();
            Await.until("an outage would be half over", () -> System.nanoTime() - refused > 500_000_000);
            always = OpeningRetryTest::down;
            long called = System.nanoTime();
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);

            assertThat(System.nanoTime() - called).isGreaterThanOrEqualTo(1_000_000_000);
        }
    }

    @Test
    void healthNamesASequenceThatIsRefusedForItsShard() {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                DownBackendProvider.class.getName(),
                "distributedid.seq.photos.shard.from",
                "caller"))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.seq.photos.shard.from=caller");

            assertThat(ids.health().sequences()).singleElement().satisfies(health -> {
                assertThat(health.status()).isEqualTo(IdHealth.Status.DOWN);
                assertThat(health.reason())
                        .startsWith("the sequence could not be opened: ")
                        .contains("distributedid.seq.photos.shard.from=caller");
            });
        }
    }

    @Test
    void whoAsksLongAfterTheFirstAttemptDoesNotWait() {
        always = OpeningRetryTest::down;
        try (DistributedIds ids = open("2s")) {
            assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);
            int before = ATTEMPTS.get();
            assertThat(before).as("attempts of who waits").isGreaterThan(2);

            for (int caller = 0; caller < 5; caller++) {
                assertThatThrownBy(() -> ids.next("photos")).hasMessage("No server gives ids");
            }
            assertThat(ATTEMPTS.get() - before)
                    .as("attempts of five who do not")
                    .isLessThanOrEqualTo(5);

            always = null;
            Await.until("ids are given again", () -> {
                try {
                    return ids.next("photos") == 42;
                } catch (IdUnavailableException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void aSequenceThatIsOpenedAgainAfterAResumeIsWaitedForToo() {
        try (DistributedIds ids = open("60s")) {
            ids.next("photos");
            ids.suspend();
            for (int failures = 0; failures < 3; failures++) {
                FAILURES.add(OpeningRetryTest::down);
            }
            ids.resume();
            assertThat(ATTEMPTS).as("a resume does not wait").hasValue(2);

            assertThat(ids.next("photos")).isEqualTo(42);
            assertThat(ATTEMPTS).hasValue(5);
        }
    }

    @Test
    void aServerThatIsReadOnlyUntilItsFailoverEndsIsWaitedFor() {
        try (DistributedIds ids = open("60s")) {
            FAILURES.add(OpeningRetryTest::readOnly);
            FAILURES.add(OpeningRetryTest::readOnly);
            assertThat(ids.next("photos")).isEqualTo(42);

            ids.suspend();
            FAILURES.add(OpeningRetryTest::readOnly);
            ids.resume();
            assertThat(ids.next("photos")).isEqualTo(42);
        }
    }

    private static IdUnavailableException readOnly() {
        return new IdUnavailableException("No server gives ids", new SQLException("read-only transaction", "25006"));
    }

    private static IdUnavailableException down() {
        return new IdUnavailableException("No server gives ids", REFUSED);
    }

    private static DistributedIds open(String timeout) {
        return DistributedIds.create(Map.of(
                "distributedid.backend", DownBackendProvider.class.getName(), "distributedid.block.timeout", timeout));
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }
}
