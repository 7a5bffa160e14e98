package io.distributedid.backend.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.WaitStatistics;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.Together;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CombinedIdsTest {

    private static final Sequence SEQUENCE = new Sequence("photos", Long.MAX_VALUE, "Photo.id", Settings.of(Map.of()));

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final AtomicLong counter = new AtomicLong();

    private final List<Integer> counts = new CopyOnWriteArrayList<>();

    /** A request waits for one before it returns. */
    private final Semaphore answers = new Semaphore(0);

    private volatile RuntimeException fails;

    private CombinedIds ids = ids(Duration.ofMinutes(5), 100);

    private CombinedIds ids(Duration timeout, int most) {
        return new CombinedIds(
                SEQUENCE,
                this::answer,
                most,
                timeout,
                threads,
                new OutageLog(System.getLogger("test")),
                new WaitStatistics("photos", System::nanoTime, time -> {}),
                System::nanoTime);
    }

    /** The ids are taken when the request is sent: an answer that is late has small ones. */
    private List<Long> answer(int count) throws InterruptedException {
        counts.add(count);
        long last = counter.addAndGet(count);
        RuntimeException failure = fails;
        answers.acquire();
        if (failure != null) {
            throw failure;
        }
        return LongStream.rangeClosed(last - count + 1, last).boxed().toList();
    }

    @AfterEach
    void stop() {
        ids.close();
        threads.shutdownNow();
    }

    private CompletableFuture<Long> call() {
        long before = waits();
        CompletableFuture<Long> call = CompletableFuture.supplyAsync(ids::next, threads);
        Await.until("the call waits", () -> waits() > before || call.isDone());
        return call;
    }

    private long waits() {
        return ids.statistics().waits();
    }

    private void awaitRequests(int number) {
        Await.until(number + " requests were sent", () -> counts.size() >= number, () -> counts);
    }

    @Test
    void callsThatComeDuringARequestShareTheNextOneAndGetAscendingIds() throws Exception {
        CompletableFuture<Long> first = call();
        awaitRequests(1);
        CompletableFuture<Long> second = call();
        CompletableFuture<Long> third = call();
        answers.release(2);

        assertThat(List.of(first.get(), second.get(), third.get())).containsExactly(1L, 2L, 3L);
        assertThat(counts).containsExactly(1, 2);
        assertThat(ids.statistics().issued()).isEqualTo(3);
    }

    /** The counter is read when the request begins: an id from an earlier request would not be larger. */
    @Test
    void noCallGetsAnIdOfARequestThatWasSentBeforeIt() throws Exception {
        answers.release(1_000_000);
        List<Long> violations = new CopyOnWriteArrayList<>();
        Together.run(8, thread -> {
            for (int i = 0; i < 2_000; i++) {
                long before = counter.get();
                long id = ids.next();
                if (id <= before) {
                    violations.add(id);
                }
            }
            return null;
        });

        assertThat(violations).isEmpty();
        assertThat(ids.statistics().issued()).isEqualTo(16_000);
        assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(16_000);
    }

    @Test
    void aRequestAsksForNoMoreThanTheServiceAllows() throws Exception {
        ids = ids(Duration.ofMinutes(5), 2);
        List<CompletableFuture<Long>> calls = new ArrayList<>();
        calls.add(call());
        awaitRequests(1);
        for (int i = 0; i < 4; i++) {
            calls.add(call());
        }
        answers.release(3);

        for (int i = 0; i < 5; i++) {
            assertThat(calls.get(i).get()).isEqualTo(i + 1);
        }
        assertThat(counts).containsExactly(1, 2, 2);
    }

    @Test
    void callsOfAFailedRequestGetIdsOfTheNextOne() throws Exception {
        fails = new IdUnavailableException("down");
        CompletableFuture<Long> first = call();
        awaitRequests(1);
        fails = null;
        CompletableFuture<Long> second = call();
        answers.release(2);

        assertThat(List.of(first.get(), second.get())).containsExactly(2L, 3L);
        assertThat(counts).containsExactly(1, 2);
    }

    @Test
    void anOutageIsOverWithoutCallsAndUntilThenCallsFailAtOnce() {
        ids = ids(Duration.ofMillis(50), 100);
        fails = new IdUnavailableException("No server gives ids; http://a said: down");
        answers.release(1_000_000);
        String text = "No id within 50 ms (distributedid.block.timeout): sequence 'photos' (Photo.id): No server gives"
                + " ids; http://a said: down";
        assertThatThrownBy(ids::next).isInstanceOf(IdUnavailableException.class).hasMessage(text);
        assertThat(ids.statistics().refusal()).contains("No server gives ids; http://a said: down");
        int before = counts.size();
        awaitRequests(before + 2);
        assertThatThrownBy(ids::next).isInstanceOf(IdUnavailableException.class).hasMessage(text);

        fails = null;
        Await.until("the outage is over", () -> ids.statistics().refusal().isEmpty());
        assertThat(ids.next()).isPositive();
    }

    @Test
    void aCallThatIsNotAnsweredInTimeSaysSo() {
        ids = ids(Duration.ofMillis(30), 100);

        assertThatThrownBy(ids::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No id within 30 ms (distributedid.block.timeout): sequence 'photos' (Photo.id):"
                        + " the service has not answered");
        answers.release();
        Await.until("the request has ended", () -> answers.availablePermits() == 0);
        answers.release();
        assertThat(ids.next()).as("the id of the first call is a gap").isEqualTo(2);
    }

    @Test
    void aRefusalReachesItsCallsAndTheNextCallAsksAgain() {
        fails = new IdConfigurationException("no such sequence");
        answers.release(2);
        assertThatThrownBy(ids::next)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("no such sequence");
        fails = null;

        assertThat(ids.next()).isEqualTo(2);
    }

    @Test
    void aCloseEndsCallsThatWait() {
        CompletableFuture<Long> first = call();
        awaitRequests(1);
        CompletableFuture<Long> second = call();
        ids.close();

        assertThatThrownBy(second::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("The source of ids is closed: sequence 'photos' (Photo.id)");
        assertThatThrownBy(ids::next).hasMessageStartingWith("The source of ids is closed");
        answers.release();
        Await.until("the first call has ended", first::isDone);
    }

    @Test
    void anInterruptedCallEndsAndKeepsTheFlag() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(ids::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Interrupted while waiting for an id: sequence 'photos' (Photo.id)");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallFailsIfNoThreadCanBeStartedAndTheNextOneTriesAgain() {
        AtomicInteger failing = new AtomicInteger(1);
        answers.release();
        ids = new CombinedIds(
                SEQUENCE,
                this::answer,
                10,
                Duration.ofMinutes(5),
                task -> {
                    if (failing.getAndDecrement() > 0) {
                        throw new RejectedExecutionException("no thread");
                    }
                    threads.execute(task);
                },
                new OutageLog(System.getLogger("test")),
                new WaitStatistics("photos", System::nanoTime, time -> {}),
                System::nanoTime);

        assertThatThrownBy(ids::next)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No thread can be started to ask for an id: sequence 'photos' (Photo.id)");
        assertThat(ids.next()).isEqualTo(1);
        assertThat(ids.statistics()).extracting(SequenceStatistics::issued).isEqualTo(1L);
    }
}
