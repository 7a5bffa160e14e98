package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Block;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What callers see of {@link DistributedIds#suspend}, {@link DistributedIds#resume} and
 * {@link DistributedIds#beginAnew}.
 */
@Timeout(300)
@Tag("slow")
class SuspendTest {

    private static final AtomicLong ROW = new AtomicLong();

    private static final List<String> EVENTS = new ArrayList<>();

    private static volatile Runnable afterReserving = () -> {};

    private static volatile Consumer<Long> afterTaking = id -> {};

    private static volatile RuntimeException refuses;

    /** Its counter outlives it, as on a server. The close gives ids back. */
    public static final class RowBackendProvider implements BackendProvider {

        public RowBackendProvider() {}

        @Override
        public String name() {
            return "row";
        }

        @Override
        public Collection<Setting<?>> settings() {
            return List.of();
        }

        @Override
        public Backend create(BackendContext context) {
            EVENTS.add("created, resumed=" + context.isResumed() + " former="
                    + context.former().isPresent());
            return new Backend() {
                @Override
                public IdSource open(Sequence sequence) {
                    if (refuses != null) {
                        throw refuses;
                    }
                    if (sequence.name().equals("direct")) {
                        return () -> {
                            long id = ROW.incrementAndGet();
                            afterTaking.accept(id);
                            return id;
                        };
                    }
                    return context.buffer(sequence, new Rows());
                }

                @Override
                public DecodedId decode(Sequence sequence, long id) {
                    return new DecodedId(id, null, Map.of());
                }

                @Override
                public void abandon() {
                    EVENTS.add("abandoned");
                }

                @Override
                public void close() {
                    EVENTS.add("closed");
                }
            };
        }
    }

    private static final class Rows implements BlockSource {

        @Override
        public Block reserve(long wanted) {
            long last = ROW.addAndGet(wanted);
            afterReserving.run();
            return new Block(last - wanted + 1, 1, wanted);
        }
    }

    @BeforeEach
    void empty() {
        ROW.set(0);
        EVENTS.clear();
        afterReserving = () -> {};
        afterTaking = id -> {};
        refuses = null;
    }

    private static DistributedIds open(String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", RowBackendProvider.class.getName());
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return DistributedIds.create(settings);
    }

    @Test
    void aSourceThatIsKeptGoesOnWithANewBlock() {
        try (DistributedIds ids = open()) {
            IdSource photos = ids.sequence("photos");
            assertThat(photos.next()).isEqualTo(1);

            ids.beginAnew();

            assertThat(photos.next()).isEqualTo(17);
            assertThat(ids.next("photos")).isEqualTo(18);
            assertThat(EVENTS)
                    .containsExactly(
                            "created, resumed=false former=false", "abandoned", "created, resumed=true former=true");
        }
    }

    @Test
    void nothingIsHandedBackBySuspend() {
        try (DistributedIds ids = open()) {
            ids.next("photos");
            ids.suspend();

            assertThat(ROW).hasValue(16);
        }
        assertThat(ROW).as("closed while suspended").hasValue(16);
        assertThat(EVENTS).doesNotContain("closed");
    }

    @Test
    void aBlockThatArrivesAfterTheSuspendIsDropped() throws Exception {
        CountDownLatch reserved = new CountDownLatch(1);
        try (DistributedIds ids = open()) {
            IdSource photos = ids.sequence("photos");
            // The server has reserved the block; the suspend comes before the buffer gets it.
            afterReserving = () -> {
                afterReserving = () -> {};
                reserved.countDown();
                awaitInterrupt();
            };
            CompletableFuture<Long> waits = CompletableFuture.supplyAsync(photos::next);
            reserved.await();

            ids.beginAnew();

            assertThat(waits.get()).isEqualTo(17);
            assertThat(photos.next()).isEqualTo(18);
        }
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // The source still returns the block.
        }
    }

    @Test
    void anIdThatWasTakenBeforeTheSuspendIsNotHandedOutAfterIt() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (DistributedIds ids = open()) {
            IdSource direct = ids.sequence("direct");
            afterTaking = id -> {
                if (id == 1) {
                    taken.countDown();
                    await(goOn);
                }
            };
            CompletableFuture<Long> heldUp = CompletableFuture.supplyAsync(direct::next);
            taken.await();

            ids.beginAnew();
            goOn.countDown();

            assertThat(heldUp.get()).isEqualTo(2);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each copy of the process has the first block of the call in its memory. */
    @Test
    void aCallForSeveralIdsThatASuspendInterruptsDropsThoseOfItsFirstBlock() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        try (DistributedIds ids = open("distributedid.block.max", "16")) {
            ids.sequence("photos");
            afterReserving = () -> {
                if (ROW.get() == 32) {
                    second.countDown();
                    awaitInterrupt();
                }
            };
            CompletableFuture<long[]> call = CompletableFuture.supplyAsync(() -> ids.next("photos", 40));
            second.await();

            ids.beginAnew();

            assertThat(call.get()).hasSize(40).doesNotHaveDuplicates();
            assertThat(Arrays.stream(call.get()).min()).hasValue(33);
        }
    }

    @Test
    void aCallForSeveralIdsThatAreTakenOneByOneDropsThoseFromBeforeTheSuspend() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (DistributedIds ids = open()) {
            ids.sequence("direct");
            afterTaking = id -> {
                if (id == 2) {
                    taken.countDown();
                    await(goOn);
                }
            };
            CompletableFuture<long[]> call = CompletableFuture.supplyAsync(() -> ids.next("direct", 3));
            taken.await();

            ids.beginAnew();
            goOn.countDown();

            assertThat(Arrays.stream(call.get()).min().getAsLong()).isGreaterThan(2);
            assertThat(call.get()).hasSize(3).doesNotHaveDuplicates();
        }
    }

    /** Takes ids and counts the calls that it has begun and ended. */
    private static final class Caller extends Thread {

        private final IdSource source;

        private final List<Long> taken = Collections.synchronizedList(new ArrayList<>());

        private volatile long begun;

        private volatile long ended;

        private volatile boolean stop;

        Caller(IdSource source) {
            this.source = source;
        }

        @Override
        public void run() {
            while (!stop) {
                begun++;
                taken.add(source.next());
                ended++;
            }
        }

        /** Waits until this thread waits for an id. */
        void awaitWaiting() {
            while (getState() != State.TIMED_WAITING) {
                requireAlive();
            }
        }

        void awaitEndOf(long call) {
            while (ended < call) {
                requireAlive();
            }
        }

        private void requireAlive() {
            assertThat(isAlive()).as("the caller runs").isTrue();
            assertThat(Thread.interrupted()).as("timed out").isFalse();
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void noneOfManyCallersGetsAnIdWhileSuspendedAndAllGoOnAfterwards() throws Exception {
        List<Caller> callers = new ArrayList<>();
        try (DistributedIds ids = open("distributedid.block.timeout", "2m")) {
            IdSource photos = ids.sequence("photos");
            for (int i = 0; i < 8; i++) {
                Caller caller = new Caller(photos);
                callers.add(caller);
                caller.start();
            }
            for (int round = 0; round < 5; round++) {
                callers.forEach(caller -> caller.awaitEndOf(caller.ended + 100));
                ids.suspend();
                callers.forEach(Caller::awaitWaiting);
                long row = ROW.get();
                List<Long> ended = callers.stream().map(caller -> caller.ended).toList();
                assertThat(callers).allMatch(caller -> caller.begun == caller.ended + 1);

                ids.resume();

                callers.forEach(caller -> caller.awaitEndOf(ended.get(callers.indexOf(caller)) + 1));
                for (int i = 0; i < callers.size(); i++) {
                    assertThat(callers.get(i).taken.get(ended.get(i).intValue()))
                            .as("the first id after the resume")
                            .isGreaterThan(row);
                }
            }
            callers.forEach(caller -> caller.stop = true);
            for (Caller caller : callers) {
                caller.join();
            }
        }
        // Millions.
        long[] taken = callers.stream()
                .flatMap(caller -> caller.taken.stream())
                .mapToLong(id -> id)
                .toArray();
        Arrays.sort(taken);
        assertThat(IntStream.range(1, taken.length).filter(each -> taken[each] == taken[each - 1]))
                .as("ids that were given twice")
                .isEmpty();
    }

    @Test
    void aCallIsRefusedWhenItHasWaitedForAsLongAsForABlock() {
        try (DistributedIds ids = open("distributedid.block.timeout", "20ms")) {
            ids.sequence("photos");
            ids.suspend();

            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("Ids are suspended: sequence 'photos' (DistributedIds), waited 20 ms"
                            + " (distributedid.block.timeout). DistributedIds.resume() ends the suspension");
            assertThatThrownBy(() -> ids.next("never_used"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("Ids are suspended: sequence 'never_used'");
            assertThat(ids.health().sequences()).singleElement().satisfies(health -> {
                assertThat(health.status()).isEqualTo(IdHealth.Status.DOWN);
                assertThat(health.reason()).isEqualTo("ids are suspended until DistributedIds.resume()");
            });
            ids.resume();
            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.UP);
        }
    }

    @Test
    void suspendAndResumeCanBeRepeated() {
        try (DistributedIds ids = open()) {
            ids.resume();
            assertThat(ids.next("photos")).isEqualTo(1);
            ids.suspend();
            ids.suspend();
            ids.resume();
            ids.resume();
            assertThat(ids.next("photos")).isEqualTo(17);
            ids.beginAnew();
            assertThat(ids.next("photos")).isEqualTo(33);
        }
    }

    @Test
    void closeEndsTheWaitOfCallersAndTheSuspension() throws Exception {
        DistributedIds ids = open();
        Caller caller = new Caller(ids.sequence("photos"));
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        caller.setUncaughtExceptionHandler((thread, e) -> end.complete(e));
        ids.suspend();
        caller.start();
        caller.awaitWaiting();

        ids.close();

        assertThat(end.get())
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The source of ids is closed");
        ids.beginAnew();
        assertThatThrownBy(() -> ids.next("photos")).hasMessageStartingWith("The source of ids is closed");
    }

    @Test
    void aSequenceThatCannotBeOpenedAgainIsOpenedByItsNextCaller() {
        try (DistributedIds ids = open()) {
            IdSource photos = ids.sequence("photos");
            ids.suspend();
            refuses = new IdUnavailableException("the server is away");
            ids.resume();
            assertThat(ids.health().sequences())
                    .singleElement()
                    .satisfies(health -> assertThat(health.reason())
                            .isEqualTo("the sequence could not be opened: the server is away"));
            assertThatThrownBy(photos::next).isSameAs(refuses);

            refuses = null;

            assertThat(photos.next()).isEqualTo(1);
            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.UP);
        }
    }

    @Test
    void aSequenceThatMustNotBeUsedAnyMoreIsToldAtTheResume() {
        try (DistributedIds ids = open()) {
            IdSource photos = ids.sequence("photos");
            ids.suspend();
            refuses = new IdConfigurationException("the server is another one");

            assertThatThrownBy(ids::resume).isSameAs(refuses);
            assertThatThrownBy(photos::next).isSameAs(refuses);
        }
    }

    @Test
    void listenersAreToldOnceOfASequence() {
        List<String> opened = new ArrayList<>();
        try (DistributedIds ids = open()) {
            ids.addListener(opened::add);
            ids.next("photos");
            ids.beginAnew();
            ids.next("photos");
        }
        assertThat(opened).containsExactly("photos");
    }
}
