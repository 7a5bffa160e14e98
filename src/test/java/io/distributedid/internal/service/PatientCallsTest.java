package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import io.distributedid.testkit.Await;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls wait for shared requests, and repeat those that failed. */
@Timeout(60)
class PatientCallsTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private static final IdUnavailableException DOWN = new IdUnavailableException("No server gives a number: down");

    /** A request that was sent, and its end: the first of the numbers. */
    private record Sent(int count, CompletableFuture<Long> end) {}

    private final Key key = new Key(7, new Outage(), LONG, false);

    private final LinkedBlockingQueue<Sent> requests = new LinkedBlockingQueue<>();

    private final AtomicLong later = new AtomicLong();

    /** No server of it is asked. */
    private final ServicePool pool = new ServicePool(
            ServiceServerTest.SETTINGS, ServiceServerTest.service(URI.create("http://localhost:1")), "test", this::now);

    private final PatientCalls<Key, Long> calls =
            new PatientCalls<>(pool, this::send, () -> 100, each -> 100, "a number", Pages.onCall("keyed-late"));

    private long now() {
        return System.nanoTime() + later.get();
    }

    private void failed(long began) {
        key.outage.ended(began, now(), DOWN);
    }

    private CompletableFuture<Long> send(Key key, int count) {
        Sent sent = new Sent(count, new CompletableFuture<>());
        requests.add(sent);
        return sent.end;
    }

    /** No server is asked for it. */
    private record Key(
            int number, @Override Outage outage, @Override Duration timeout, boolean isEndless) implements Subject {

        @Override
        public boolean isGivenUp(long began, long now) {
            return !isEndless && outage.isLongerThan(timeout, now);
        }

        @Override
        public Optional<ServiceServer> likely() {
            return Optional.empty();
        }

        @Override
        public boolean isFinal(Exception failure) {
            return false;
        }

        @Override
        public String none() {
            return "";
        }

        @Override
        public String toString() {
            return "key=" + number;
        }
    }

    private final List<Thread> threads = new ArrayList<>();

    /** Begins a call, and returns when it waits. */
    private CompletableFuture<Long> call(Key key) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                Combiner.Share<Long> share = calls.call(key, 1, now());
                result.complete(share.answer() + share.offset());
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

    private CompletableFuture<Long> call() {
        return call(key);
    }

    private Sent sent() throws InterruptedException {
        Sent next = requests.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).as("a request").isNotNull();
        return next;
    }

    private void failNext() throws InterruptedException {
        Sent next = sent();
        failed(now() - later.get());
        next.end.completeExceptionally(DOWN);
    }

    @AfterEach
    void stop() {
        threads.forEach(Thread::interrupt);
        pool.close();
    }

    @Test
    void callsOfAFailedRequestAreInALaterOne() throws Exception {
        CompletableFuture<Long> first = call();
        Sent alone = sent();
        CompletableFuture<Long> second = call();
        alone.end.complete(1L);
        failNext();

        sent().end.complete(5L);

        assertThat(first.get()).isEqualTo(1);
        assertThat(second.get()).isEqualTo(5);
    }

    @Test
    void aCallThatIsNotAnsweredInTimeSaysSoAndKeepsNoOtherFromItsNumber() throws Exception {
        Pending<Combiner.Share<Long>> impatient = calls.begin(key, 1);
        Sent alone = sent();
        impatient.end().run();
        assertThatThrownBy(impatient.answer()::get)
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number within 60000 ms (distributedid.block.timeout): key=7. The service has not"
                        + " answered yet" + Pages.onCall("keyed-late"));

        CompletableFuture<Long> patient = call();
        alone.end.complete(1L);
        Sent next = sent();
        assertThat(next.count).isEqualTo(1);
        next.end.complete(2L);
        assertThat(patient.get()).isEqualTo(2);
    }

    @Test
    void aCallSaysWhyItsOwnRequestFailedThoughOthersOfTheSequenceSucceed() throws Exception {
        Pending<Combiner.Share<Long>> call = calls.begin(key, 1);
        failNext();
        key.outage.ended(now(), now(), null);

        call.end().run();

        assertThatThrownBy(call.answer()::get)
                .hasRootCause(DOWN)
                .cause()
                .hasMessage("No number within 60000 ms (distributedid.block.timeout): key=7. No server gives a number:"
                        + " down" + Pages.onCall("keyed-late"));
    }

    @Test
    void inAnOutageThatIsOlderThanItsTimeACallIsInOneRequest() throws Exception {
        failed(now());
        later.set(Duration.ofMinutes(2).toNanos());
        CompletableFuture<Long> call = call();
        failNext();

        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No number within 60000 ms (distributedid.block.timeout): key=7. No server gives a number:"
                        + " down" + Pages.onCall("keyed-late"))
                .hasRootCause(DOWN);
        assertThatThrownBy(() -> calls.requireInTime(key)).hasMessageStartingWith("No number within 60000 ms");
    }

    @Test
    void aRequestThatIsNotGivenUpGoesOnInAnOldOutageToo() throws Exception {
        failed(now());
        later.set(Duration.ofMinutes(2).toNanos());
        CompletableFuture<Long> call = call(new Key(7, key.outage, LONG, true));
        failNext();

        sent().end.complete(3L);

        assertThat(call.get()).isEqualTo(3);
    }

    @Test
    void aRefusalReachesEachCallWithItsOwnStackAndTheNextCallAsksAgain() throws Exception {
        CompletableFuture<Long> first = call();
        Sent alone = sent();
        CompletableFuture<Long> second = call();
        CompletableFuture<Long> third = call();
        alone.end.complete(1L);
        IdConfigurationException wrong = new IdConfigurationException("wrong");
        sent().end.completeExceptionally(wrong);

        assertThat(first.get()).isEqualTo(1);
        for (CompletableFuture<Long> each : List.of(second, third)) {
            assertThatThrownBy(each::get)
                    .cause()
                    .isInstanceOf(IdConfigurationException.class)
                    .isNotSameAs(wrong)
                    .hasMessage("wrong")
                    .hasCause(wrong);
        }
        CompletableFuture<Long> later = call();
        sent().end.complete(2L);
        assertThat(later.get()).isEqualTo(2);
    }

    @Test
    void exhaustionIsNotRepeated() throws Exception {
        CompletableFuture<Long> call = call();
        sent().end.completeExceptionally(new IdsExhaustedException("the end"));

        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessage("the end");
    }

    @Test
    void aFaultOfOursIsNotRepeated() throws Exception {
        CompletableFuture<Long> call = call();
        sent().end.completeExceptionally(new IllegalStateException("a fault"));

        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The request for numbers has failed: key=7")
                .hasRootCauseMessage("a fault");
    }

    @Test
    void anInterruptedCallEndsAndKeepsTheFlag() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> calls.call(key, 1, now()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for a number: key=7");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCloseEndsCallsThatWait() throws Exception {
        CompletableFuture<Long> first = call();
        Sent alone = sent();
        CompletableFuture<Long> second = call();

        calls.close();

        assertThatThrownBy(second::get).cause().hasMessage("The source of numbers is closed: key=7");
        alone.end.completeExceptionally(DOWN);
        assertThatThrownBy(first::get).cause().hasMessage("The source of numbers is closed: key=7");
        assertThatThrownBy(() -> calls.call(key, 1, now())).hasMessage("The source of numbers is closed: key=7");
    }

    @Test
    void aCloseEndsThePauseOfACall() throws Exception {
        CompletableFuture<Long> call = call();
        for (int i = 0; i < 4; i++) {
            failNext();
        }

        calls.close();

        assertThatThrownBy(call::get).cause().hasMessage("The source of numbers is closed: key=7");
    }
}
