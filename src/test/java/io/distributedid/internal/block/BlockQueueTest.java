package io.distributedid.internal.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

        private final List<String> alone = new ArrayList<>();

        private final Set<String> unanswered = new TreeSet<>();

        private final Set<String> locked = new TreeSet<>();

        private int parallel = 1;

        private long next = 1;

        private Runnable during = () -> {};

        @Override
        public int parallel() {
            return parallel;
        }

        @Override
        public void reserve(List<BlockRequest> requests) {
            batches.add(requests.stream().map(each -> name(each)).toList());
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

        @Override
        public Set<Rest> giveBack(List<Rest> rests) {
            return Set.of();
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
        public Block reserve(long wanted) throws SQLException {
            servers.alone.add(name);
            if (servers.locked.contains(name)) {
                throw new SQLException("waited for " + name);
            }
            return servers.block(wanted);
        }
    }

    private BlockRequest request(String name) {
        return request(name, false);
    }

    private BlockRequest request(String name, boolean isRetry) {
        return new BlockRequest(
                new Source(name, servers),
                10,
                isRetry,
                (request, block, failure) -> results.merge(
                        name,
                        block == null ? String.valueOf(failure.getMessage()) : "" + block.first(),
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
    void aLoneRequestIsReservedByItsSource() {
        add("a", 0);
        scheduler.runNext();

        assertThat(servers.alone).containsExactly("a");
        assertThat(servers.batches).isEmpty();
        assertThat(results).containsEntry("a", "1");
    }

    @Test
    void aLoneRequestThatHasFailedIsNotReservedByItsSourceWhichMayWaitForALock() {
        queue.add(request("a", true), 0);
        scheduler.runNext();

        assertThat(servers.alone).isEmpty();
        assertThat(servers.batches).containsExactly(List.of("a"));
    }

    @Test
    void whatTheGroupDoesNotAnswerIsReservedAlone() {
        servers.unanswered.add("b");
        add("a", 5);
        add("b", 0);
        scheduler.runNext();
        assertThat(results).containsOnlyKeys("a");

        scheduler.runNext();

        assertThat(servers.alone).containsExactly("b");
        assertThat(results).containsEntry("b", "11");
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
        assertThat(servers.alone).isEmpty();
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

    @Test
    void timersDoNotPileUp() {
        for (int round = 0; round < 50; round++) {
            add("a" + round, 90);
            pass(1);
        }

        assertThat(scheduler.delayed).hasSize(1);
        assertThat(scheduler.delays).containsExactly(Duration.ofMillis(91));
    }

    private void runAllDelayed() {
        while (!scheduler.delayed.isEmpty()) {
            scheduler.runDelayed();
        }
    }
}
