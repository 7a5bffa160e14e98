package benchmarks.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CallersTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void whoGetsNoIdCountsAsOne() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Callers.Taken> taken = new CompletableFuture<>();
        Source stuck = () -> {
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 1;
        };
        Thread turn = new Thread(() -> {
            try {
                taken.complete(Callers.take(List.of(stuck), Duration.ZERO, Duration.ZERO));
            } catch (Exception e) {
                taken.completeExceptionally(e);
            }
        });
        turn.start();
        Await.until("the turn waits", () -> turn.getState().equals(Thread.State.WAITING), turn::getState);
        over.countDown();

        assertThat(taken.get().rate().wall()).isPositive();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aFastMachineEndsATurnBeforeItsTime() throws Exception {
        AtomicLong ids = new AtomicLong();

        Callers.Taken taken = Callers.take(List.of(ids::getAndIncrement), LONG, LONG);

        assertThat(taken.ids().size()).isEqualTo(ids.get()).isBetween(2L * Callers.MOST, 4L * Callers.MOST);
        assertThat(taken.rate().wall()).isPositive();
        assertThat(taken.rate().cpu()).isPositive();
    }
}
