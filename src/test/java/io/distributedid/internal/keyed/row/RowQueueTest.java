package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.row.RowCall.Spot;
import io.distributedid.internal.keyed.row.RowCall.Want;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls a thread of a server gets. */
@Timeout(300)
class RowQueueTest {

    private final AtomicLong nanos = new AtomicLong();

    private final RowQueue queue = new RowQueue(nanos::get);

    private RowCall add(String key) {
        return add(key, Duration.ofMinutes(5));
    }

    private RowCall add(String key, Duration timeout) {
        RowCall call = new RowCall(queue, new Spot("messages", key, Want.NUMBERS), 1, System.nanoTime(), timeout);
        queue.add(call);
        return call;
    }

    private RowCall read(String key) {
        RowCall call =
                new RowCall(queue, new Spot("messages", key, Want.LAST), 0, System.nanoTime(), Duration.ofMinutes(5));
        queue.add(call);
        return call;
    }

    private List<RowCall> next(RowCall... answered) throws InterruptedException {
        return queue.next(bySpot(List.of(answered))).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    private static Map<Spot, List<RowCall>> bySpot(List<RowCall> calls) {
        return calls.stream().collect(Collectors.groupingBy(RowCall::spot));
    }

    private CompletableFuture<List<RowCall>> nextOfAnotherThread() {
        CompletableFuture<List<RowCall>> calls = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                calls.complete(next());
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
    void keysThatWaitGoTogetherInTheOrderOfTheirFirstCallAndReadsAlone() throws Exception {
        RowCall first = add("a");
        RowCall read = read("a");
        RowCall other = add("b");
        RowCall second = add("a");

        assertThat(next()).containsExactly(first, second, other);
        assertThat(next()).containsExactly(read);
    }

    @Test
    void noTwoThreadsGetTheSameKey() throws Exception {
        RowCall first = add("a");
        assertThat(next()).containsExactly(first);
        RowCall second = add("a");
        CompletableFuture<List<RowCall>> idle = nextOfAnotherThread();
        assertThat(idle).isNotDone();

        RowCall other = add("b");
        assertThat(idle.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).containsExactly(other);
        assertThat(next(first)).containsExactly(second);
    }

    @Test
    void keysThatGotNoNumberTogetherAreTakenOutAloneUntilTheyAreAnswered() throws Exception {
        RowCall first = add("a");
        RowCall other = add("b");
        assertThat(next()).containsExactly(first, other);
        RowCall second = add("a");
        queue.separate(bySpot(List.of(first, other)));
        RowCall new1 = add("c");
        RowCall new2 = add("d");

        assertThat(next()).containsExactly(first, second);
        assertThat(next()).containsExactly(other);
        assertThat(next()).containsExactly(new1, new2);
        queue.answered(first.spot(), List.of(first, second));
        RowCall third = add("a");
        RowCall new3 = add("e");
        assertThat(next()).containsExactly(third, new3);
    }

    @Test
    void whoSaysTwiceThatCallsAreAnsweredTakesNothingFromAnotherThread() throws Exception {
        RowCall first = add("a");
        assertThat(next()).containsExactly(first);
        queue.answered(first.spot(), List.of(first));
        RowCall second = add("a");
        assertThat(next()).containsExactly(second);
        queue.answered(first.spot(), List.of(first));
        RowCall third = add("a");
        RowCall other = add("b");

        assertThat(next(first)).containsExactly(other);
        assertThat(next(second)).containsExactly(third);
    }

    @Test
    void callsThatAreRepeatedStayWithTheirThreadAndComeWithThoseThatHaveArrived() throws Exception {
        RowCall first = add("a");
        Map<Spot, List<RowCall>> taken = queue.next(Map.of());
        RowCall second = add("a");
        CompletableFuture<List<RowCall>> idle = nextOfAnotherThread();

        assertThat(queue.repeat(taken, "no answer")).isTrue();
        assertThat(queue.again(taken)).containsExactly(Map.entry(first.spot(), List.of(first, second)));
        assertThat(idle).isNotDone();
        queue.end();
        assertThat(idle.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void callsWhoseTimeIsOverAreForgotten() throws Exception {
        add("a", Duration.ZERO);
        RowCall other = add("b");

        assertThat(next()).containsExactly(other);
    }

    @Test
    void whileTheServerFailsForLongOneCallWaitsAndTheOthersFailAtOnce() throws Exception {
        Duration little = Duration.ofMillis(1);
        RowCall first = add("a");
        Map<Spot, List<RowCall>> taken = queue.next(Map.of());
        assertThat(queue.repeat(taken, "no answer")).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());

        assertThatThrownBy(() -> add("b", little))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number can be issued: seq=messages key=b. no answer");
        queue.answered(first.spot(), List.of(first));
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
        Map<Spot, List<RowCall>> taken = queue.next(Map.of());
        assertThat(queue.repeat(taken, "no answer")).isTrue();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(queue.repeat(taken, "no answer")).isFalse();
        queue.answered(last.spot(), List.of(last));
        last.fail(new IdUnavailableException("no answer"));
        nanos.addAndGet(Duration.ofSeconds(8).toNanos());

        for (int i = 0; i < 20; i++) {
            add("key" + i, Duration.ofSeconds(2));
        }
        assertThat(next()).hasSize(20);
        assertThat(queue.failure()).isEqualTo("The server has not answered yet");
    }

    @Test
    void theEndFailsAllThatWaitAndADropThoseThatWereTakenOutToo() throws Exception {
        RowCall taken = add("a");
        assertThat(next()).containsExactly(taken);
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
