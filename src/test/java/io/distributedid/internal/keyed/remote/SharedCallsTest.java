package io.distributedid.internal.keyed.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls for one key share requests: one at a time, and in the order of their arrival. */
@Timeout(60)
class SharedCallsTest {

    private static final KeySpot SPOT = new KeySpot("messages", "7", KeySpot.Want.NUMBERS);

    private static final Duration LONG = Duration.ofMinutes(1);

    /** A request that was sent, and its end. */
    private record Sent(int count, CompletableFuture<Long> end) {

        void answer(long last) {
            end.complete(last);
        }

        void fail(RuntimeException failure) {
            end.completeExceptionally(failure);
        }
    }

    private final LinkedBlockingQueue<Sent> requests = new LinkedBlockingQueue<>();

    private final SharedCalls calls = new SharedCalls(this::ask, spot -> "The service is away");

    private final List<Thread> threads = new ArrayList<>();

    private long ask(KeySpot spot, int count, CallTime time) throws InterruptedException {
        Sent sent = new Sent(count, new CompletableFuture<>());
        requests.add(sent);
        try {
            return sent.end.get();
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    /** Begins a call, and returns when it waits: for its request, or behind another call. */
    private CompletableFuture<Long> call(int count, Duration timeout) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(calls.call(SPOT, count, new CallTime(System.nanoTime(), timeout)));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        threads.add(thread);
        thread.start();
        Await.until(
                "the call waits",
                () -> result.isDone()
                        || thread.getState() == Thread.State.WAITING
                        || thread.getState() == Thread.State.TIMED_WAITING);
        return result;
    }

    private Sent sent() throws InterruptedException {
        Sent next = requests.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("a request").isNotNull();
        return next;
    }

    @AfterEach
    void stop() {
        threads.forEach(Thread::interrupt);
    }

    @Test
    void callsThatWaitShareTheNextRequestInTheOrderOfTheirArrival() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();
        List<CompletableFuture<Long>> others =
                Stream.of(2, 1, 3).map(count -> call(count, LONG)).toList();

        alone.answer(10);
        Sent shared = sent();
        assertThat(shared.count).isEqualTo(6);
        shared.answer(20);

        assertThat(first.get()).isEqualTo(10);
        assertThat(others.get(0).get()).as("15 and 16").isEqualTo(16);
        assertThat(others.get(1).get()).isEqualTo(17);
        assertThat(others.get(2).get()).as("18 to 20").isEqualTo(20);
        assertThat(requests).isEmpty();
    }

    @Test
    void aRequestAsksForTenThousandNumbersAtMost() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();
        List<CompletableFuture<Long>> others =
                Stream.of(9_000, 1_000, 1).map(count -> call(count, LONG)).toList();

        alone.answer(1);
        Sent shared = sent();
        assertThat(shared.count).isEqualTo(10_000);
        shared.answer(10_001);
        Sent last = sent();
        assertThat(last.count).isEqualTo(1);
        last.answer(10_002);

        assertThat(first.get()).isEqualTo(1);
        assertThat(others.stream().map(CompletableFuture::join)).containsExactly(9_001L, 10_001L, 10_002L);
    }

    @Test
    void callsWaitOnIfTheTimeOfTheOneThatLeadsIsOver() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();
        CompletableFuture<Long> second = call(1, LONG);
        CompletableFuture<Long> third = call(1, LONG);
        alone.answer(1);
        sent().fail(new IdUnavailableException("too late"));

        Sent again = sent();
        assertThat(again.count).as("without the call that has failed").isEqualTo(1);
        again.answer(4);

        assertThat(first.get()).isEqualTo(1);
        assertThatThrownBy(second::get).hasRootCauseMessage("too late");
        assertThat(third.get()).isEqualTo(4);
    }

    @Test
    void aCallThatIsInterruptedLeavesTheLeadToAnother() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent unused = sent();
        CompletableFuture<Long> second = call(1, LONG);

        threads.get(0).interrupt();

        assertThatThrownBy(first::get).cause().hasMessage("Interrupted while waiting for a number: seq=messages key=7");
        sent().answer(5);
        assertThat(second.get()).isEqualTo(5);
    }

    @Test
    void aCallLeavesWhenItsTimeIsOver() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();

        CompletableFuture<Long> impatient = call(5, Duration.ofMillis(1));

        assertThatThrownBy(impatient::get)
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number within 1 ms (distributedid.block.timeout): seq=messages key=7. The service is"
                        + " away");
        CompletableFuture<Long> patient = call(1, LONG);
        alone.answer(1);
        Sent next = sent();
        assertThat(next.count).as("without the call that has left").isEqualTo(1);
        next.answer(2);
        assertThat(first.get()).isEqualTo(1);
        assertThat(patient.get()).isEqualTo(2);
    }

    @Test
    void aWrongConfigurationFailsAllThatShareTheRequest() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();
        CompletableFuture<Long> second = call(1, LONG);
        CompletableFuture<Long> third = call(1, LONG);
        alone.answer(1);
        sent().fail(new IdConfigurationException("wrong"));

        assertThat(first.get()).isEqualTo(1);
        for (CompletableFuture<Long> each : List.of(second, third)) {
            assertThatThrownBy(each::get)
                    .cause()
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("wrong");
        }
        CompletableFuture<Long> later = call(1, LONG);
        sent().answer(2);
        assertThat(later.get()).isEqualTo(2);
    }

    @Test
    void nearTheEndEachGetsWhatIsLeftForIt() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();
        CompletableFuture<Long> small = call(1, LONG);
        CompletableFuture<Long> large = call(100, LONG);
        alone.answer(1);
        Sent shared = sent();
        assertThat(shared.count).isEqualTo(101);
        shared.fail(new IdsExhaustedException("the end"));
        Sent ofSmall = sent();
        assertThat(ofSmall.count).isEqualTo(1);
        ofSmall.answer(2);
        Sent ofLarge = sent();
        assertThat(ofLarge.count).isEqualTo(100);
        ofLarge.fail(new IdsExhaustedException("the end"));

        assertThat(first.get()).isEqualTo(1);
        assertThat(small.get()).isEqualTo(2);
        assertThatThrownBy(large::get).hasCauseInstanceOf(IdsExhaustedException.class);
    }

    @Test
    void theEndEndsCallsThatWait() throws Exception {
        CompletableFuture<Long> first = call(1, LONG);
        Sent alone = sent();
        CompletableFuture<Long> second = call(1, LONG);

        calls.end();

        assertThatThrownBy(second::get).cause().hasMessage("The source of numbers is closed: seq=messages key=7");
        alone.answer(1);
        assertThat(first.get()).isEqualTo(1);
        assertThatThrownBy(() -> calls.call(SPOT, 1, new CallTime(System.nanoTime(), LONG)))
                .hasMessage("The source of numbers is closed: seq=messages key=7");
    }
}
