package photos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Spring Data R2DBC on an event loop. BlockHound fails every call that blocks a thread of Reactor; one that must fail
 * shows that it works here. It is there before the first of these threads, so this test has a process of its own.
 */
class EventLoopTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @BeforeAll
    static void watchForBlockingCalls() {
        BlockHound.install();
    }

    @Test
    void aSlowStoreBlocksNoEventLoop() throws Exception {
        Scheduler loop = Schedulers.newParallel("loop", 1);
        try (ConfigurableApplicationContext slow = Application.run(
                Set.of(Entities.Immutable.class), "distributedid.backend=" + SlowBackendProvider.class.getName())) {
            assertThatThrownBy(() ->
                            Mono.fromRunnable(() -> sleep()).subscribeOn(loop).block(PATIENCE))
                    .hasRootCauseInstanceOf(BlockingOperationError.class);
            ReactiveEntityCallbacks callbacks = ReactiveEntityCallbacks.create(slow);
            AtomicReference<String> thread = new AtomicReference<>();

            CompletableFuture<List<Entities.Immutable>> all = Flux.range(0, 100)
                    .flatMap(
                            i -> callbacks.callback(
                                    BeforeConvertCallback.class,
                                    new Entities.Immutable(null, "slow"),
                                    SqlIdentifier.quoted("immutable")),
                            100)
                    .doOnNext(photo -> thread.set(Thread.currentThread().getName()))
                    .collectList()
                    .subscribeOn(loop)
                    .toFuture();
            Await.until("a thread waits for the store", () -> !SlowBackendProvider.WAITED.isEmpty());
            AtomicBoolean isFree = new AtomicBoolean();
            Mono.fromRunnable(() -> isFree.set(true)).subscribeOn(loop).block(PATIENCE);
            assertThat(isFree).as("the event loop does other work").isTrue();
            assertThat(all).isNotDone();
            SlowBackendProvider.ANSWERS.release(1000);

            assertThat(all.get())
                    .extracting(Entities.Immutable::id)
                    .doesNotContainNull()
                    .doesNotHaveDuplicates();
            assertThat(thread.get()).startsWith("parallel-");
            assertThat(SlowBackendProvider.WAITED)
                    .hasSizeBetween(1, 4)
                    .allSatisfy(each -> assertThat(each.getName()).isEqualTo("distributedid-async"));
        } finally {
            loop.dispose();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
