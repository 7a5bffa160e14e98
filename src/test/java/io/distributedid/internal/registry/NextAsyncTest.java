package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NextAsyncTest {

    /** A store that answers when a test lets it. */
    public static final class SlowBackendProvider implements BackendProvider {

        static final Semaphore ANSWERS = new Semaphore(0);

        static final AtomicLong ASKED = new AtomicLong();

        /** In memory. */
        static final AtomicLong RESERVE = new AtomicLong();

        static final AtomicLong LAST = new AtomicLong();

        static final Set<Thread> WAITED = ConcurrentHashMap.newKeySet();

        static volatile boolean down;

        public SlowBackendProvider() {}

        @Override
        public String name() {
            return "slow";
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
                    await();
                    return new IdSource() {
                        @Override
                        public long next() {
                            ASKED.incrementAndGet();
                            await();
                            if (down) {
                                throw new IdUnavailableException("The store is down");
                            }
                            return LAST.incrementAndGet();
                        }

                        @Override
                        public long tryNext() {
                            long left = RESERVE.getAndUpdate(ids -> Math.max(0, ids - 1));
                            return left == 0 ? 0 : LAST.incrementAndGet();
                        }
                    };
                }

                @Override
                public DecodedId decode(Sequence sequence, long id) {
                    return new DecodedId(id, null, Map.of());
                }

                @Override
                public void close() {}
            };
        }

        private static void await() {
            WAITED.add(Thread.currentThread());
            ANSWERS.acquireUninterruptibly();
        }
    }

    private DistributedIds ids;

    @BeforeEach
    void open() {
        SlowBackendProvider.ANSWERS.drainPermits();
        SlowBackendProvider.ASKED.set(0);
        SlowBackendProvider.RESERVE.set(0);
        SlowBackendProvider.LAST.set(0);
        SlowBackendProvider.WAITED.clear();
        SlowBackendProvider.down = false;
        ids = DistributedIds.create(Map.of("distributedid.backend", SlowBackendProvider.class.getName()));
    }

    @AfterEach
    void close() {
        SlowBackendProvider.ANSWERS.release(1_000_000);
        ids.close();
        Await.until(
                "no thread waits for ids",
                () -> SlowBackendProvider.WAITED.stream()
                        .noneMatch(thread -> thread != Thread.currentThread() && thread.isAlive()));
    }

    @Test
    void theCallerWaitsNeitherForTheOpeningNorForTheStore() {
        CompletableFuture<Long> first = next();
        CompletableFuture<Long> second = next();
        assertThat(first).isNotDone();

        SlowBackendProvider.ANSWERS.release(100);

        assertThat(Set.of(first.join(), second.join())).containsExactlyInAnyOrder(1L, 2L);
        assertThat(SlowBackendProvider.WAITED)
                .isNotEmpty()
                .doesNotContain(Thread.currentThread())
                .allSatisfy(thread -> assertThat(thread)
                        .isInstanceOf(LibraryThread.class)
                        .extracting(Thread::getName)
                        .isEqualTo("distributedid-async"));
    }

    @Test
    void anIdInMemoryIsThereAtOnce() {
        SlowBackendProvider.ANSWERS.release(100);
        ids.sequence("photos");
        SlowBackendProvider.RESERVE.set(2);

        assertThat(next()).isCompletedWithValue(1L);
        assertThat(next()).isCompletedWithValue(2L);
        assertThat(SlowBackendProvider.ASKED).hasValue(0);
        assertThat(next().join()).isEqualTo(3);
        assertThat(SlowBackendProvider.ASKED).hasValue(1);
    }

    @Test
    void manyCallersWaitOnFewThreadsAndEachGetsAnIdOfItsOwn() {
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(next());
        }
        SlowBackendProvider.ANSWERS.release(100_000);

        Set<Long> given = all.stream().map(CompletableFuture::join).collect(Collectors.toCollection(HashSet::new));

        assertThat(given).hasSize(10_000);
        assertThat(SlowBackendProvider.WAITED).hasSizeBetween(1, 4);
    }

    @Test
    void callersThatWaitedAsLongGetTheSameErrorAndLaterOnesAnIdWhenTheStoreIsBack() {
        openSequence();
        SlowBackendProvider.down = true;
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(next());
        }
        Await.until("callers ask", () -> SlowBackendProvider.ASKED.get() == 4);
        SlowBackendProvider.ANSWERS.release(8);

        all.forEach(each -> assertThatThrownBy(each::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The store is down"));
        assertThat(SlowBackendProvider.ASKED.get()).isLessThanOrEqualTo(8);

        SlowBackendProvider.down = false;
        CompletableFuture<Long> later = next();
        SlowBackendProvider.ANSWERS.release(100);
        assertThat(later.join()).isEqualTo(1);
    }

    @Test
    void noIdIsTakenForACallerThatHasGivenUp() {
        openSequence();
        List<CompletableFuture<Long>> busy = List.of(next(), next(), next(), next());
        CompletableFuture<Long> cancelled = next();
        Await.until("the others are served", () -> SlowBackendProvider.ASKED.get() == 4);
        assertThat(cancelled.cancel(true)).isTrue();

        SlowBackendProvider.ANSWERS.release(100);

        busy.forEach(CompletableFuture::join);
        assertThat(next().join()).isEqualTo(5);
        assertThat(SlowBackendProvider.ASKED).hasValue(5);
    }

    @Test
    void errorsAreThoseOfTheResult() {
        SlowBackendProvider.ANSWERS.release(100);
        assertThatThrownBy(
                        () -> ids.nextAsync("not a name").toCompletableFuture().join())
                .hasCauseInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("seq=not a name (DistributedIds)");
        ids.sequence("photos");
        SlowBackendProvider.RESERVE.set(1);
        CompletionStage<Long> narrow = ids.nextAsync("photos", Integer.MAX_VALUE, "photo.id");
        assertThatThrownBy(() -> narrow.toCompletableFuture().join())
                .hasCauseInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("photo.id up to 2147483647");
    }

    @Test
    void afterTheCloseTheResultFails() {
        DistributedIds other = DistributedIds.create(Map.of("distributedid.backend", "memory"));
        assertThat(other.nextAsync("photos").toCompletableFuture().join()).isPositive();
        other.close();
        assertThatThrownBy(
                        () -> other.nextAsync("comments").toCompletableFuture().join())
                .hasCauseInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("The source of ids is closed: ");
    }

    private void openSequence() {
        SlowBackendProvider.ANSWERS.release();
        ids.sequence("photos");
    }

    private CompletableFuture<Long> next() {
        return ids.nextAsync("photos").toCompletableFuture();
    }
}
