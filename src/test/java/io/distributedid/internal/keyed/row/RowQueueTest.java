package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.row.RowCall.Spot;
import io.distributedid.internal.keyed.row.RowCall.Want;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls a thread of a server gets. */
@Timeout(300)
class RowQueueTest {

    private final AtomicLong nanos = new AtomicLong();

    private final RowQueue queue = new RowQueue(UnaryOperator.identity(), nanos::get);

    private RowCall add(String key) {
        return add(key, Duration.ofMinutes(5));
    }

    private RowCall add(String key, Duration timeout) {
        RowCall call = new RowCall(new Spot("messages", key, Want.NUMBERS), 1, System.nanoTime(), timeout);
        queue.add(call);
        return call;
    }

    private CompletableFuture<List<RowCall>> nextOfAnotherThread() {
        CompletableFuture<List<RowCall>> calls = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                calls.complete(queue.next(List.of()));
            } catch (InterruptedException e) {
                calls.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Await.until("it waits or has calls", () -> calls.isDone() || thread.getState() == Thread.State.WAITING);
        return calls;
    }

    @Test
    void callsForOneKeyGoTogetherAndKeysInTheOrderOfTheirFirstCall() throws Exception {
        RowCall first = add("a");
        RowCall other = add("b");
        RowCall second = add("a");

        assertThat(queue.next(List.of())).containsExactly(first, second);
        assertThat(queue.next(List.of())).containsExactly(other);
    }

    @Test
    void noTwoThreadsGetTheSameKey() throws Exception {
        RowCall first = add("a");
        assertThat(queue.next(List.of())).containsExactly(first);
        RowCall second = add("a");
        CompletableFuture<List<RowCall>> idle = nextOfAnotherThread();
        assertThat(idle).isNotDone();

        RowCall other = add("b");
        assertThat(idle.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).containsExactly(other);
        assertThat(queue.next(List.of(first))).containsExactly(second);
    }

    @Test
    void whoSaysTwiceThatCallsAreAnsweredTakesNothingFromAnotherThread() throws Exception {
        RowCall first = add("a");
        List<RowCall> taken = queue.next(List.of());
        queue.answered(taken);
        RowCall second = add("a");
        assertThat(queue.next(List.of())).containsExactly(second);
        queue.answered(taken);
        RowCall third = add("a");
        RowCall other = add("b");

        assertThat(queue.next(List.of(first))).containsExactly(other);
        assertThat(queue.next(List.of(second))).containsExactly(third);
    }

    @Test
    void callsThatAreRepeatedStayWithTheirThreadAndComeWithThoseThatHaveArrived() throws Exception {
        RowCall first = add("a");
        List<RowCall> taken = queue.next(List.of());
        RowCall second = add("a");
        CompletableFuture<List<RowCall>> idle = nextOfAnotherThread();

        assertThat(queue.repeat(taken, "no answer")).isTrue();
        assertThat(queue.again(taken)).containsExactly(first, second);
        assertThat(idle).isNotDone();
        queue.end();
        assertThat(idle.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void callsWhoseTimeIsOverAreForgotten() throws Exception {
        add("a", Duration.ZERO);
        RowCall other = add("b");

        assertThat(queue.next(List.of())).isEmpty();
        assertThat(queue.next(List.of())).containsExactly(other);
    }

    @Test
    void whileTheServerFailsForLongOneCallWaitsAndTheOthersFailAtOnce() throws Exception {
        Duration little = Duration.ofMillis(1);
        add("a");
        List<RowCall> taken = queue.next(List.of());
        assertThat(queue.repeat(taken, "no answer")).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());

        assertThatThrownBy(() -> add("b", little))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number can be issued: seq=messages key=b. no answer");
        queue.answered(taken);
        add("b", little);
        assertThatThrownBy(() -> add("c", little)).isInstanceOf(IdUnavailableException.class);
        assertThat(queue.failure()).isEqualTo("no answer");
        queue.recovered();
        assertThat(queue.failure()).isEqualTo("The server has not answered yet");
        add("c", little);
    }

    @Test
    void anOutageIsForgottenIfNobodyTriesAnyMore() throws Exception {
        RowCall last = add("a", Duration.ofSeconds(2));
        List<RowCall> taken = queue.next(List.of());
        assertThat(queue.repeat(taken, "no answer")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(queue.repeat(taken, "no answer")).isFalse();
        queue.answered(taken);
        last.fail(new IdUnavailableException("no answer"));
        nanos.addAndGet(Duration.ofSeconds(8).toNanos());

        for (int i = 0; i < 20; i++) {
            add("key" + i, Duration.ofSeconds(2));
        }
        assertThat(queue.next(List.of())).hasSize(1);
        assertThat(queue.failure()).isEqualTo("The server has not answered yet");
    }

    @Test
    void theEndFailsAllThatWaitAndADropThoseThatWereTakenOutToo() throws Exception {
        RowCall taken = add("a");
        assertThat(queue.next(List.of())).containsExactly(taken);
        RowCall waiting = add("b");

        queue.end();
        assertClosed(waiting);
        assertThatThrownBy(() -> add("c")).hasMessage("The source of ids is closed: seq=messages key=c");
        queue.drop();
        assertClosed(taken);
    }

    private static void assertClosed(RowCall call) {
        assertThatThrownBy(() -> call.await())
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: " + call.spot());
    }
}
