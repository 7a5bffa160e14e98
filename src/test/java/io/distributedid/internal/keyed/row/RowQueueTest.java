package io.distributedid.internal.keyed.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.row.RowQueue.Line;
import io.distributedid.internal.keyed.row.RowQueue.Spot;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls a thread of a server gets. */
@Timeout(300)
class RowQueueTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicLong nanos = new AtomicLong();

    private final RowQueue queue = new RowQueue(nanos::get);

    private Pending<Long> add(String key) {
        return add(key, LONG);
    }

    private Pending<Long> add(String key, Duration timeout) {
        return queue.add(spot(key, false), 1, nanos.get(), timeout);
    }

    private Pending<Long> read(String key) {
        return queue.add(spot(key, true), 0, nanos.get(), LONG);
    }

    private static Spot spot(String key, boolean isRead) {
        return new Spot(new RowKey("messages", key), isRead);
    }

    private List<Line> next() throws InterruptedException {
        return queue.join(queue.next());
    }

    /** The keys of lines, each with the count of its calls. */
    private static Stream<String> told(List<Line> lines) {
        return lines.stream()
                .map(line -> (line.spot().isRead() ? "read " : "")
                        + line.spot().row().key() + " " + line.single().size());
    }

    private CompletableFuture<List<Line>> nextOfAnotherThread() {
        CompletableFuture<List<Line>> lines = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                lines.complete(queue.next());
            } catch (InterruptedException e) {
                lines.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Await.until("it waits or has lines", () -> lines.isDone() || thread.getState() == Thread.State.WAITING);
        return lines;
    }

    private static <T> T result(CompletableFuture<T> result) throws Exception {
        return result.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void keysThatWaitGoTogetherInTheOrderOfTheirFirstCallAndReadsAlone() throws Exception {
        add("a");
        read("a");
        add("b");
        add("a");

        assertThat(told(next())).containsExactly("a 2", "b 1");
        assertThat(told(next())).containsExactly("read a 1");
    }

    @Test
    void callsOfALineDivideItsNumbersInTheOrderOfTheirArrival() throws Exception {
        Pending<Long> first = add("a");
        Pending<Long> other = add("a");
        Line line = next().get(0);
        Pending<Long> later = add("a");
        line.answer(7);

        assertThat(result(first.answer())).isEqualTo(6);
        assertThat(result(other.answer())).isEqualTo(7);
        assertThat(later.answer()).isNotDone();
    }

    @Test
    void noTwoThreadsGetTheSameKey() throws Exception {
        add("a");
        List<Line> taken = next();
        add("a");
        CompletableFuture<List<Line>> idle = nextOfAnotherThread();
        assertThat(idle).isNotDone();

        add("b");
        assertThat(told(queue.join(result(idle)))).containsExactly("b 1");
        queue.release(taken);
        assertThat(told(next())).containsExactly("a 1");
    }

    @Test
    void aKeyThatHasBeenServedComesAfterOthers() throws Exception {
        add("a");
        List<Line> taken = next();
        add("a");
        add("b");
        queue.release(taken);

        assertThat(told(next())).containsExactly("b 1", "a 1");
    }

    @Test
    void keysThatGotNoNumberTogetherAreTakenOutAloneUntilTheyAreAnswered() throws Exception {
        add("a");
        add("b");
        List<Line> together = next();
        add("a");
        queue.separate(together);
        add("c");
        add("d");

        List<Line> alone = next();
        assertThat(told(alone)).containsExactly("a 2");
        assertThat(told(next())).containsExactly("b 1");
        assertThat(told(next())).containsExactly("c 1", "d 1");
        queue.release(alone);
        add("a");
        add("e");
        assertThat(told(next())).containsExactly("a 1", "e 1");
    }

    @Test
    void callsThatFailLeaveTheirLineToThoseThatHaveArrivedSince() throws Exception {
        Pending<Long> first = add("a");
        Line line = next().get(0);
        Pending<Long> second = add("a");
        queue.fail(line, new IdUnavailableException("no answer"));

        assertThat(first.answer()).isCompletedExceptionally();
        assertThat(told(next())).containsExactly("a 1");
        assertThat(second.answer()).isNotDone();
    }

    @Test
    void callsThatAreRepeatedStayWithTheirThreadAndComeWithThoseThatHaveArrived() throws Exception {
        add("a");
        List<Line> taken = next();
        add("a");
        CompletableFuture<List<Line>> idle = nextOfAnotherThread();

        assertThat(queue.repeat(taken, "no answer")).isTrue();
        assertThat(told(queue.join(taken))).containsExactly("a 2");
        assertThat(idle).isNotDone();
        queue.end(false);
        assertThat(result(idle)).isEmpty();
    }

    @Test
    void callsWhoseTimeIsOverAreForgotten() throws Exception {
        add("a", Duration.ZERO);
        add("b");
        add("c").end().run();

        assertThat(told(next())).containsExactly("b 1");
        assertThat(queue.join(List.of())).isEmpty();
    }

    @Test
    void whileTheServerFailsForLongOneCallWaitsAndTheOthersFailAtOnce() throws Exception {
        Duration little = Duration.ofMillis(1);
        add("a");
        List<Line> taken = next();
        assertThat(queue.repeat(taken, "no answer")).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());

        assertThatThrownBy(() -> add("b", little))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number can be issued: seq=messages key=b. no answer" + Pages.onCall("keyed-late"));
        queue.release(taken);
        Pending<Long> waits = add("b", little);
        assertThatThrownBy(() -> add("c", little)).isInstanceOf(IdUnavailableException.class);
        assertLate(waits, "key=b. no answer");
        queue.recovered();
        assertLate(add("c", little), "key=c. The server has not answered yet");
    }

    private static void assertLate(Pending<Long> call, String end) {
        call.end().run();
        assertThatThrownBy(() -> call.await(Platform.JVM, 0, "a number"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number within 1 ms (distributedid.block.timeout): seq=messages " + end
                        + Pages.onCall("keyed-late"));
    }

    /** Key a has been failing for a time. */
    private List<Line> failingFor(Duration time, Duration limit) throws InterruptedException {
        add("a", limit);
        List<Line> taken = next();
        assertThat(queue.repeat(taken, "no answer")).isTrue();
        nanos.addAndGet(time.toNanos());
        return taken;
    }

    /** The row of the first key is locked, perhaps. */
    @Test
    void aKeyThatFailsForLongFailsNoOtherWhileAThreadIsFree() throws Exception {
        Duration limit = Duration.ofSeconds(2);
        List<Line> unused = failingFor(Duration.ofSeconds(3), limit);

        assertThatThrownBy(() -> add("a", limit)).isInstanceOf(IdUnavailableException.class);
        assertThatThrownBy(() -> add("b", limit)).as("no thread").isInstanceOf(IdUnavailableException.class);
        CompletableFuture<List<Line>> idle = nextOfAnotherThread();
        add("b", limit);
        assertThat(told(queue.join(result(idle)))).containsExactly("b 1");
    }

    @Test
    void anOutageIsForgottenIfNobodyTriesAnyMore() throws Exception {
        Duration limit = Duration.ofSeconds(2);
        List<Line> taken = failingFor(Duration.ofSeconds(10), limit);
        assertThat(queue.repeat(taken, "no answer")).isFalse();
        queue.fail(taken.get(0), new IdUnavailableException("no answer"));
        nanos.addAndGet(Duration.ofSeconds(8).toNanos());

        for (int i = 0; i < 20; i++) {
            add("key" + i, limit);
        }
        assertThat(next()).hasSize(20);
    }

    @Test
    void theEndFailsAllThatWaitAndADropThoseThatWereTakenOutToo() throws Exception {
        Pending<Long> taken = add("a");
        assertThat(told(next())).containsExactly("a 1");
        Pending<Long> behind = add("a");
        Pending<Long> waiting = add("b");

        queue.end(false);
        assertClosed(waiting, "b");
        assertClosed(behind, "a");
        assertThat(taken.answer()).isNotDone();
        assertThatThrownBy(() -> add("c")).hasMessage("The source of ids is closed: seq=messages key=c");
        queue.end(true);
        assertClosed(taken, "a");
    }

    private static void assertClosed(Pending<Long> call, String key) {
        assertThatThrownBy(() -> call.await(Platform.JVM, 0, "a number"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The source of ids is closed: seq=messages key=" + key);
    }
}
