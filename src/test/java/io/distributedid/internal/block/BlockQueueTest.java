package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.distributedid.spi.Block;
import io.distributedid.spi.ReservedBlock;
import io.distributedid.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockQueueTest {

    private static final long MILLI = 1_000_000;

    private final ManualScheduler scheduler = new ManualScheduler();

    private final AtomicLong nanos = new AtomicLong(-50);

    private final Servers servers = new Servers();

    private final BlockQueue queue = new BlockQueue(servers, scheduler, nanos::get);

    /** The results by name: the first id, or the message of the failure. */
    private final TreeMap<String, String> results = new TreeMap<>();

    /** Records each batch. Leaves the requests of some sequences unanswered. */
    private static final class Servers implements BlockGroup {

        private final List<List<String>> batches = new ArrayList<>();

        private final Set<String> unanswered = new TreeSet<>();

        private final Set<String> locked = new TreeSet<>();

        private int parallel = 1;

        private long next = 1;

        private Runnable during = () -> {};

        private boolean interrupts;

        @Override
        public String label() {
            return "t1, t2";
        }

        @Override
        public int parallel() {
            return parallel;
        }

        private void requireNoInterrupt() throws InterruptedException {
            if (interrupts) {
                throw new InterruptedException("stop");
            }
        }

        @Override
        public void reserve(List<BlockRequest> requests) throws InterruptedException {
            batches.add(requests.stream().map(each -> name(each)).toList());
            requireNoInterrupt();
            Runnable now = during;
            during = () -> {};
            now.run();
            for (BlockRequest each : requests) {
                if (locked.contains(name(each))) {
                    each.postpone(name(each) + " is locked");
                } else if (!unanswered.contains(name(each))) {
                    each.answer(block(each.wanted()));
                }
            }
        }

        private static String name(BlockRequest request) {
            return ((Source) request.source()).name;
        }

        private Block block(long wanted) {
            Block block = new Block(next, 1, wanted);
            next += wanted;
            return block;
        }
    }

    private record Source(String name, Servers servers) implements GroupedSource {

        @Override
        public BlockGroup group() {
            return servers;
        }

        @Override
        public Block reserve(long wanted) {
            throw new AssertionError("The group answers");
        }
    }

    private BlockRequest request(String name) {
        return new BlockRequest(
                new Source(name, servers),
                10,
                (request, block, failure) -> results.merge(
                        name,
                        block == null
                                ? String.valueOf(failure.getMessage())
                                : "" + block.block().first(),
                        (one, other) -> one + " and " + other));
    }

    private BlockRequest add(String name, long mayWaitMillis) {
        BlockRequest request = request(name);
        queue.add(request, mayWaitMillis * MILLI);
        return request;
    }

    private void pass(long millis) {
        nanos.addAndGet(millis * MILLI);
    }

    @Test
    void requestsThatMayWaitAreSentTogetherWhenTheFirstIsDue() {
        add("a", 80);
        pass(20);
        add("b", 30);
        add("c", 1_000);
        pass(29);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).isEmpty();

        pass(1);
        scheduler.runDelayed();
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a", "b", "c"));
        assertThat(results).containsEntry("a", "1").containsEntry("b", "11").containsEntry("c", "21");
    }

    @Test
    void noRequestWaitsLongerThanTheLimit() {
        add("a", 60_000);

        assertThat(scheduler.delays).containsExactly(BlockQueue.LONGEST_WAIT.plusMillis(1));
    }

    @Test
    void anUrgentRequestTakesTheOthersAlongAtOnce() {
        add("a", 80);
        add("b", 0);
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a", "b"));
    }

    @Test
    void aRequestBecomesUrgentWhenACallerWaits() {
        BlockRequest patient = add("a", 80);
        queue.hurry(patient);

        assertThat(scheduler.tasks).hasSize(1);
    }

    @Test
    void aLoneRequestIsABatchOfOne() {
        add("a", 0);
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a"));
        assertThat(results).containsEntry("a", "1");
    }

    @Test
    void aLoneRequestPassesAServerThatHangs() {
        servers.parallel = 2;
        servers.during = () -> {
            pass(BlockQueue.SLOW.toMillis());
            scheduler.runDelayed();
            scheduler.runDelayed();
        };
        add("a", 0);
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a"), List.of("a"));
        assertThat(results).containsEntry("a", "1");
    }

    @Test
    void aRequestThatTheGroupForgetsFails() {
        servers.unanswered.add("b");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();

        assertThat(results).containsEntry("a", "1").containsEntry("b", "No answer: t1, t2");
    }

    @Test
    void aLoneSourceDoesNotWaitForOthers() {
        ScriptedSource source = new ScriptedSource();
        source.age = Duration.ofSeconds(2);
        BlockQueue lone = new BlockQueue(new BlockGroup.Lone(source, "t1"), scheduler, nanos::get);
        List<ReservedBlock> blocks = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        BlockRequest.Answer answer = (request, block, failure) -> {
            blocks.add(block);
            failures.add(failure);
        };
        lone.add(new BlockRequest(source, 10, answer), 80 * MILLI);
        scheduler.runNext();
        assertThat(blocks).containsExactly(new ReservedBlock(new Block(1, 1, 10), Duration.ofSeconds(2)));

        source.fails = new SQLException("down");
        lone.add(new BlockRequest(source, 10, answer), 0);
        scheduler.runNext();
        assertThat(failures).last().isSameAs(source.fails);
    }

    @Test
    void asManyBatchesRunAsThereAreServers() {
        servers.parallel = 2;
        add("a", 0);
        add("b", 0);
        add("c", 0);

        assertThat(scheduler.tasks).hasSize(2);
        scheduler.runNext();
        assertThat(scheduler.tasks).hasSize(2);
    }

    @Test
    void aBatchThatHangsDoesNotCountForLong() {
        add("a", 0);
        add("b", 0);
        assertThat(scheduler.tasks).hasSize(1);

        pass(BlockQueue.SLOW.toMillis());
        scheduler.runDelayed();

        assertThat(scheduler.tasks).hasSize(2);
    }

    @Test
    void aServerThatHangsIsReplacedAndTheFirstAnswerCounts() {
        servers.parallel = 2;
        servers.during = () -> {
            pass(BlockQueue.SLOW.toMillis());
            scheduler.runDelayed();
            scheduler.runDelayed();
        };
        add("a", 5);
        add("b", 0);
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a", "b"), List.of("a", "b"));
        assertThat(results).containsEntry("a", "1").containsEntry("b", "11");
    }

    @Test
    void aLockedCounterIsAskedAgainWithoutWaitingForItsLock() {
        servers.locked.add("b");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();
        assertThat(results).containsOnlyKeys("a");
        servers.locked.clear();
        runAllDelayed();
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a", "b"), List.of("b"));
        assertThat(results).containsEntry("b", "11");
    }

    @Test
    void aCounterThatStaysLockedFailsItsRequest() {
        servers.locked.add("b");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();
        pass(BlockQueue.LONGEST_POSTPONED.toMillis() + 1);
        runAllDelayed();
        scheduler.runNext();

        assertThat(results).containsEntry("b", "b is locked");
    }

    @Test
    void aRequestThatWasNotSentCanBeTakenBack() {
        BlockRequest taken = add("a", 80);

        assertThat(queue.cancel(taken)).isTrue();
        pass(81);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).isEmpty();
        assertThat(results).isEmpty();
    }

    /** On a busy machine that takes milliseconds, and a thousand callers would wait for each other. */
    @Test
    @Timeout(30)
    void aRequestDoesNotWaitWhileAnotherThreadStartsABatch() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        BlockQueue slow = new BlockQueue(servers, new SlowStart(scheduler, starting, started), nanos::get);
        Thread first = new Thread(() -> slow.add(request("a"), 0));
        first.start();
        starting.await();

        slow.add(request("b"), 0);
        assertThat(first.isAlive()).isTrue();
        started.countDown();
        first.join();
        scheduler.runNext();
        scheduler.runNext();

        assertThat(results).containsEntry("a", "1").containsEntry("b", "11");
    }

    @Test
    @Timeout(30)
    void aRequestThatComesWhileACallerHurriesAnotherOneIsNotForgotten() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        servers.parallel = 2;
        BlockQueue slow = new BlockQueue(servers, new SlowStart(scheduler, starting, started), nanos::get);
        BlockRequest patient = request("a");
        slow.add(patient, 80 * MILLI);
        Thread first = new Thread(() -> slow.hurry(patient));
        first.start();
        starting.await();

        slow.add(request("b"), 0);
        started.countDown();
        first.join();
        scheduler.runNext();
        scheduler.runNext();

        assertThat(results).containsEntry("a", "1").containsEntry("b", "11");
    }

    /** Starts no thread until it is told to. */
    private record SlowStart(Scheduler scheduler, CountDownLatch starting, CountDownLatch started)
            implements Scheduler {

        @Override
        public void execute(Runnable task) {
            starting.countDown();
            try {
                started.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            scheduler.execute(task);
        }

        @Override
        public void executeAfter(Duration delay, Runnable task) {
            scheduler.executeAfter(delay, task);
        }

        @Override
        public void every(Duration period, Runnable task) {
            scheduler.every(period, task);
        }

        @Override
        public void end(Runnable task) {
            scheduler.end(task);
        }
    }

    @Test
    void withoutAThreadALoneRequestFails() {
        scheduler.fails = new OutOfMemoryError("unable to create native thread");

        assertThatThrownBy(() -> queue.add(request("a"), 0)).hasMessageContaining("native thread");

        scheduler.fails = null;
        add("b", 0);
        scheduler.runNext();
        assertThat(results).containsOnlyKeys("b");
    }

    @Test
    void withoutAThreadSeveralRequestsAreSentLater() {
        add("a", 80);
        scheduler.fails = new OutOfMemoryError("unable to create native thread");
        add("b", 0);
        scheduler.fails = null;

        pass(200);
        scheduler.runDelayed();
        scheduler.runNext();

        assertThat(servers.batches).containsExactly(List.of("a", "b"));
    }

    /** A timer runs, but no worker can be started. */
    private final Scheduler timersOnly = new Scheduler() {
        @Override
        public void execute(Runnable task) {
            throw new OutOfMemoryError("unable to create native thread");
        }

        @Override
        public void executeAfter(Duration delay, Runnable task) {
            scheduler.executeAfter(delay, task);
        }

        @Override
        public void every(Duration period, Runnable task) {}

        @Override
        public void end(Runnable task) {}
    };

    @Test
    void aLoneRequestThatCannotBeSentIsTheCallersAndIsDropped() {
        BlockQueue stuck = new BlockQueue(servers, timersOnly, nanos::get);
        BlockRequest lone = request("a");

        assertThatThrownBy(() -> stuck.add(lone, 0)).isInstanceOf(OutOfMemoryError.class);
        assertThat(stuck.cancel(lone)).isFalse();
        assertThat(scheduler.delays).isEmpty();
    }

    @Test
    void aRequestThatCannotBeSentOnceItIsDueIsTriedAgain() {
        BlockQueue stuck = new BlockQueue(servers, timersOnly, nanos::get);
        BlockRequest patient = request("a");
        stuck.add(patient, 80 * MILLI);
        pass(80);
        scheduler.runDelayed();

        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(81), Duration.ofMillis(201));
        assertThat(stuck.cancel(patient)).as("it waits").isTrue();
    }

    @Test
    void requestsThatCannotBeSentTogetherAreTriedAgain() {
        BlockQueue stuck = new BlockQueue(servers, timersOnly, nanos::get);
        BlockRequest first = request("a");
        stuck.add(first, 80 * MILLI);
        stuck.add(request("b"), 0);

        assertThat(scheduler.delays).as("the first timer ends before").containsExactly(Duration.ofMillis(81));
        assertThat(stuck.cancel(first)).as("it waits").isTrue();
    }

    @Test
    void afterEachOperationOthersCanUseTheQueue() {
        BlockRequest first = add("a", 80);
        assertFree();
        queue.cancel(first);
        assertFree();
        add("b", 80);
        scheduler.runDelayed();
        assertFree();
        scheduler.fails = new OutOfMemoryError("unable to create native thread");
        BlockQueue other = new BlockQueue(servers, scheduler, nanos::get);
        assertThatThrownBy(() -> other.add(request("c"), 0)).isInstanceOf(OutOfMemoryError.class);
        scheduler.fails = null;
        assertFree(other);
    }

    private void assertFree() {
        assertFree(queue);
    }

    private void assertFree(BlockQueue used) {
        assertThat(CompletableFuture.supplyAsync(() -> used.cancel(request("nobody's"))))
                .succeedsWithin(Await.PATIENCE);
    }

    @Test
    void timersDoNotPileUp() {
        for (int round = 0; round < 50; round++) {
            add("a" + round, 90);
            pass(1);
        }

        assertThat(scheduler.delayed).hasSize(1);
        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(91));
    }

    @Test
    void aBatchHasUpTo250Requests() {
        for (int i = 0; i < 251; i++) {
            add("a" + i, 80);
        }
        pass(80);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).hasSize(1);
        scheduler.runNext();
        assertThat(servers.batches).singleElement().asInstanceOf(LIST).hasSize(250);
        assertThat(results).hasSize(250);

        scheduler.runNext();
        assertThat(servers.batches).last().isEqualTo(List.of("a250"));
        assertThat(results).hasSize(251);
    }

    @Test
    void aBatchWaitsUntilTheFirstOfThoseThatRunCountsAsSlow() {
        servers.parallel = 2;
        add("a", 0);
        pass(100);
        add("b", 0);
        pass(50);
        add("c", 0);

        assertThat(scheduler.tasks).hasSize(2);
        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(300 - 150 + 1));
        pass(149);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).as("a millisecond too early").hasSize(2);
        pass(1);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).hasSize(3);
    }

    @Test
    void anErrorOfTheGroupFailsThoseThatHaveNoAnswer() {
        servers.during = () -> {
            throw new IllegalStateException("down");
        };
        add("a", 5);
        add("b", 0);
        scheduler.runNext();

        assertThat(results).containsEntry("a", "down").containsEntry("b", "down");
        add("c", 0);
        assertThat(scheduler.tasks).as("the batch is over").hasSize(1);
    }

    @Test
    void anInterruptOfABatchFailsItAndStaysSet() {
        servers.interrupts = true;
        add("a", 5);
        add("b", 0);
        scheduler.runNext();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(results).containsEntry("a", "stop").containsEntry("b", "stop");
    }

    @Test
    void anInterruptOfALoneRequestIsItsFailureAndStaysSet() {
        servers.interrupts = true;
        add("a", 0);
        scheduler.runNext();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(results).containsEntry("a", "stop");
    }

    @Test
    void anInterruptOfTheSecondServerLeavesTheAnswerToTheFirst() {
        servers.parallel = 2;
        servers.during = () -> {
            pass(BlockQueue.SLOW.toMillis());
            servers.interrupts = true;
            runAllDelayed();
            assertThat(Thread.interrupted()).isTrue();
            servers.interrupts = false;
        };
        add("a", 5);
        add("b", 0);
        scheduler.runNext();

        assertThat(servers.batches).hasSize(2);
        assertThat(results).containsEntry("a", "1").containsEntry("b", "11");
    }

    @Test
    void aQuickBatchIsNotSentToAnotherServer() {
        servers.parallel = 2;
        servers.locked.add("b");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();
        scheduler.runDelayed();

        assertThat(servers.batches).hasSize(1);
    }

    @Test
    void theOnlyServerIsNotAskedTwice() {
        add("a", 5);
        add("b", 0);
        scheduler.runDelayed();
        scheduler.runNext();

        assertThat(scheduler.delayed).isEmpty();
    }

    @Test
    void whatWasSentCannotBeTakenBack() {
        BlockRequest sent = add("a", 0);

        assertThat(queue.cancel(sent)).isFalse();
        scheduler.runNext();
        assertThat(results).containsEntry("a", "1");
    }

    @Test
    void aCallerThatWaitsForWhatWasSentDoesNotHurryTheOthers() {
        BlockRequest sent = add("a", 0);
        add("b", 80);
        queue.hurry(sent);
        scheduler.runNext();

        assertThat(scheduler.tasks).isEmpty();
        pass(80);
        runAllDelayed();
        assertThat(scheduler.tasks).hasSize(1);
    }

    @Test
    void aCounterMayStayLockedForTheWholeLimit() {
        servers.locked.add("b");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();
        // It counts from an odd nanosecond.
        nanos.addAndGet(BlockQueue.LONGEST_POSTPONED.toNanos() + 1);
        runAllDelayed();
        scheduler.runNext();
        assertThat(results).containsOnlyKeys("a");
        assertThat(scheduler.delays)
                .last()
                .satisfies(pause -> assertThat(pause).isBetween(Duration.ofMillis(3), Duration.ofMillis(11)));

        runAllDelayed();
        nanos.addAndGet(1);
        scheduler.runNext();
        assertThat(results).containsEntry("b", "b is locked");
    }

    @Test
    void whatCannotBeTriedAgainFails() {
        servers.locked.add("b");
        servers.during = () -> scheduler.fails = new OutOfMemoryError("unable to create native thread");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();

        assertThat(results).containsEntry("a", "1").containsEntry("b", "unable to create native thread");
    }

    @Test
    void aTimerThatWasReplacedByAnEarlierOneChangesNothing() {
        add("a", 80);
        add("b", 20);
        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(81), Duration.ofMillis(21));
        pass(10);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).isEmpty();
        assertThat(scheduler.delays).as("the earlier one still runs").hasSize(2);

        pass(10);
        scheduler.runDelayed();
        assertThat(scheduler.tasks).hasSize(1);
    }

    private void runAllDelayed() {
        while (!scheduler.delayed.isEmpty()) {
            scheduler.runDelayed();
        }
    }
}
