package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.ServerBusyException;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Block;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CounterTest {

    /** Calls ask for so many ids, trials in the background for one. */
    private static final long WANTED = 10;

    private static final FakeRow ROW = new FakeRow();

    private final Set<String> down = ConcurrentHashMap.newKeySet();

    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private final AtomicLong nanos = new AtomicLong();

    private final Group group = new Group("t1", "t2");

    /** What a trial in the background does before it asks. */
    private volatile Runnable beforeTrial = () -> {};

    private record FakeRow() implements CounterKey {

        @Override
        public String table() {
            return "sequence";
        }

        @Override
        public boolean isAloneInItsTable() {
            return false;
        }

        @Override
        public String rowName() {
            return "photos";
        }
    }

    private record Access(String label) implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            throw new SQLException("There is no such server: " + label);
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Gives a block that begins with its place. */
    private final class Server extends CounterServer<FakeRow> {

        private final Group group;

        private final String name;

        Server(Group group, int place, String name) {
            super(
                    place,
                    new JdbcLink.Source<>(new Access(name), connection -> {
                        throw new SQLException("not connected to: " + name);
                    }),
                    Duration.ofSeconds(1),
                    ServerPause.outages(nanos::get),
                    nanos::get);
            this.group = group;
            this.name = name;
        }

        @Override
        boolean isBusy() {
            return busy.contains(name);
        }

        @Override
        Optional<Block> reserve(FakeRow row, long wanted, CounterHistory history, List<CounterServer<FakeRow>> servers)
                throws SQLException {
            Answer before = group.answer;
            if (wanted == 1) {
                asked.add("trial of " + name);
                beforeTrial.run();
            } else if (before != null) {
                before.await(name);
            } else {
                asked.add(name);
            }
            if (before == null && down.contains(name)) {
                throw new SQLException(name + " is down");
            }
            return Optional.of(new Block(place() + 1, servers.size(), wanted));
        }
    }

    /** What a server does in place of its usual answer. */
    @FunctionalInterface
    private interface Answer {

        void await(String server) throws SQLException;
    }

    private final class Group {

        private final List<String> names;

        private final List<CounterServer<FakeRow>> servers = new ArrayList<>();

        private final Counter<FakeRow> counter;

        private volatile @Nullable Answer answer;

        Group(String... names) {
            this.names = List.of(names);
            for (String name : names) {
                servers.add(new Server(this, servers.size(), name));
            }
            DriftLimit distance = new DriftLimit(1_000_000, false, "behind", DriftLimit.Failover.RAISE);
            counter =
                    new Counter<>(
                            ROW,
                            "photos",
                            new CounterGroup<>(servers, Platform.JVM),
                            new CounterAlignment<>(ROW, servers, distance, Platform.JVM)) {
                        @Override
                        void succeeded(CounterServer<FakeRow> server) {
                            super.succeeded(server);
                            seen.add(server.label() + " gave");
                        }

                        @Override
                        void failed(CounterServer<FakeRow> server, Exception e, boolean isFailover) {
                            super.failed(server, e, isFailover);
                            seen.add(server.label() + (isFailover ? " is left out" : " failed again") + ": "
                                    + e.getMessage());
                        }

                        @Override
                        void trialFailed(CounterServer<FakeRow> server, Exception e) {
                            super.trialFailed(server, e);
                            seen.add(server.label() + " was tried in vain: " + e.getMessage());
                        }
                    };
        }

        String call() throws InterruptedException {
            return names.get((int) counter.reserve(WANTED).first() - 1);
        }

        Optional<String> failure(int place) {
            return counter.statistics().get(place).failure();
        }
    }

    @Test
    void serversAreAskedInTurn() throws InterruptedException {
        assertThat(List.of(call(), call(), call(), call())).containsExactly("t1", "t2", "t1", "t2");
    }

    @Test
    void aServerThatFailsIsReplacedAndThenLeftOut() throws InterruptedException {
        down.add("t1");

        assertThat(List.of(call(), call(), call(), call())).containsOnly("t2");
        assertThat(asked).filteredOn("t1"::equals).hasSize(1);
    }

    @Test
    void whenAllAreLeftOutAllAreTried() throws InterruptedException {
        down.addAll(List.of("t1", "t2"));
        assertThatThrownBy(this::call)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No server gives ids; t1 said: t1 is down; t2 said: t2 is down");
        down.remove("t2");
        nanos.addAndGet(Duration.ofMillis(10).toNanos());

        assertThat(call()).isEqualTo("t2");
    }

    @Test
    @Timeout(60)
    void whenAllAreLeftOutOneCallerTriesAServerAndTheOthersAreToldAtOnce() throws Exception {
        Group alone = new Group("t1");
        down.add("t1");
        assertThatThrownBy(() -> alone.call()).isInstanceOf(IdUnavailableException.class);
        nanos.addAndGet(Duration.ofMillis(10).toNanos());
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        alone.answer = server -> {
            alone.answer = null;
            hangs.countDown();
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
        };
        CompletableFuture<String> trial = CompletableFuture.supplyAsync(() -> {
            try {
                return alone.call();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        hangs.await();

        assertThatThrownBy(() -> alone.call()).hasMessage("No server gives ids; t1 said: t1 is down");
        assertThat(asked).as("callers that did not wait for it").containsExactly("t1");
        answers.countDown();
        assertThat(trial.get()).isEqualTo("t1");
        down.clear();
        assertThat(alone.call()).isEqualTo("t1");
    }

    @Test
    void aServerWhoseCounterIsExhaustedIsNotLeftOut() throws InterruptedException {
        Group alone = new Group("t1");
        alone.answer = server -> {
            throw new IdsExhaustedException("at its end");
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(alone::call)
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessage("at its end");
        }
        assertThat(alone.failure(0)).as("of the server").isEmpty();
        assertThat(seen).containsExactly("t1 failed again: at its end", "t1 failed again: at its end");

        alone.answer = null;
        assertThat(alone.call()).as("another counter").isEqualTo("t1");
    }

    @Test
    void whatAnotherCallerSawOnAServerIsNoReasonOfItsOwn() {
        ServerPause pause = new ServerPause("t1", ServerPause.outages(nanos::get), nanos::get);
        pause.failed(new IdsExhaustedException("at its end"), false);
        ServerFailures failures = new ServerFailures();

        failures.add(pause);

        assertThat(failures.noneGivesIds()).hasMessage("No server gives ids; t1 said: at its end");
    }

    @Test
    void aServerThatMayHangIsPassedByUnlessItIsTheLast() throws InterruptedException {
        busy.add("t1");
        assertThat(List.of(call(), call(), call(), call())).containsOnly("t2");
        assertThat(asked).doesNotContain("t1");

        down.add("t2");
        assertThat(call()).isEqualTo("t1");
    }

    @Test
    void aServerThatHangsIsNotLeftOutByThoseWhoDidNotWaitForIt() {
        Group alone = new Group("t1");

        alone.answer = server -> {
            throw new ServerBusyException(server);
        };

        assertThatThrownBy(alone::call).hasMessage("No server gives ids; t1 said: Another call is under way: t1");
        assertThat(alone.failure(0)).isEmpty();
        assertThat(seen).isEmpty();
    }

    @Test
    @Timeout(60)
    void aServerIsTriedInTheBackgroundByOneThreadWhileTheOthersServe() throws Exception {
        down.add("t1");
        call();
        nanos.addAndGet(Duration.ofMillis(500).toNanos());
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        beforeTrial = () -> {
            hangs.countDown();
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        assertThat(call()).as("while t1 hangs").isEqualTo("t2");
        hangs.await();
        assertThat(List.of(call(), call(), call())).containsOnly("t2");
        assertThat(asked).filteredOn("trial of t1"::equals).hasSize(1);

        down.clear();
        answers.countDown();
        Await.until("t1 serves again", () -> group.failure(0).isEmpty());
        assertThat(List.of(call(), call())).containsExactlyInAnyOrder("t1", "t2");
        assertThat(seen).containsOnlyOnce("t1 is left out: t1 is down").doesNotContain("t1 was tried in vain");
    }

    @Test
    @Timeout(60)
    void thePauseGrowsWithTrialsAndNotWithTheCallsThatWereUnderWay() throws Exception {
        down.add("t1");
        call();
        group.counter.failedElsewhere(group.servers.get(0), new SQLException("so was another call"));
        group.counter.failedElsewhere(group.servers.get(0), new SQLException("and one more"));
        nanos.addAndGet(Duration.ofMillis(500).toNanos());

        call();
        Await.until("t1 was tried", () -> seen.contains("t1 was tried in vain: t1 is down"));

        nanos.addAndGet(Duration.ofMillis(999).toNanos());
        call();
        assertThat(asked)
                .filteredOn("trial of t1"::equals)
                .as("within a second")
                .hasSize(1);
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        Await.until("t1 is tried again", () -> {
            call();
            return asked.stream().filter("trial of t1"::equals).count() == 2;
        });
    }

    @Test
    void whatBecomesOfCallsIsSeenAndAServerIsLeftOutOnce() throws InterruptedException {
        assertThat(group.failure(0)).isEmpty();
        down.add("t1");
        call();
        assertThat(group.failure(0)).contains("t1 is down");
        assertThat(group.failure(1)).isEmpty();
        down.add("t2");
        nanos.addAndGet(Duration.ofMillis(10).toNanos());
        assertThatThrownBy(this::call).isInstanceOf(IdUnavailableException.class);
        down.clear();
        nanos.addAndGet(Duration.ofMillis(10).toNanos());
        call();

        assertThat(seen)
                .containsExactly(
                        "t1 is left out: t1 is down",
                        "t2 gave",
                        "t2 is left out: t2 is down",
                        "t1 failed again: t1 is down",
                        "t1 gave");
        assertThat(group.failure(0)).isEmpty();
    }

    @Test
    void nobodyStandsInForAServerThatIsAlone() {
        Group alone = new Group("t1");
        down.add("t1");

        assertThatThrownBy(() -> alone.call()).hasMessage("No server gives ids; t1 said: t1 is down");
        assertThat(seen).containsExactly("t1 failed again: t1 is down");
        assertThat(alone.failure(0)).contains("t1 is down");
    }

    private String call() throws InterruptedException {
        return group.call();
    }
}
