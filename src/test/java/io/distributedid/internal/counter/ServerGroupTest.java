package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.ServerBusyException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ServerGroupTest {

    private final Set<String> down = ConcurrentHashMap.newKeySet();

    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private final AtomicLong nanos = new AtomicLong();

    private final ServerGroup<String> group = group("t1", "t2");

    /** What a trial in the background does before it asks. */
    private volatile Runnable beforeTrial = () -> {};

    private final ServerGroup.Watch<String> watch = new ServerGroup.Watch<>() {
        @Override
        public void succeeded(String server) {
            seen.add(server + " gave");
        }

        @Override
        public void failed(String server, Exception e, boolean leftOut) {
            seen.add(server + (leftOut ? " is left out" : " failed again") + ": " + e.getMessage());
        }

        @Override
        public void triedInVain(String server, Exception e) {
            seen.add(server + " was tried in vain: " + e.getMessage());
        }
    };

    private ServerGroup<String> group(String... servers) {
        return new ServerGroup<>(List.of(servers), server -> server, busy::contains, nanos::get);
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
        ServerGroup<String> alone = group("t1");
        down.add("t1");
        assertThatThrownBy(() -> call(alone)).isInstanceOf(IdUnavailableException.class);
        nanos.addAndGet(Duration.ofMillis(10).toNanos());
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        CompletableFuture<String> trial = CompletableFuture.supplyAsync(() -> {
            try {
                return alone.call(
                        server -> {
                            hangs.countDown();
                            answers.await();
                            return server;
                        },
                        server -> server,
                        watch);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        hangs.await();

        assertThatThrownBy(() -> call(alone)).hasMessage("No server gives ids; t1 said: t1 is down");
        assertThat(asked).as("callers that did not wait for it").containsExactly("t1");
        answers.countDown();
        assertThat(trial.get()).isEqualTo("t1");
        down.clear();
        assertThat(call(alone)).isEqualTo("t1");
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
        ServerGroup<String> alone = group("t1");

        assertThatThrownBy(() -> alone.call(
                        server -> {
                            throw new ServerBusyException(server);
                        },
                        server -> server,
                        watch))
                .hasMessage("No server gives ids; t1 said: Another call is under way: t1");
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
        await(() -> group.failure(0).isEmpty());
        assertThat(List.of(call(), call())).containsExactlyInAnyOrder("t1", "t2");
        assertThat(seen).containsOnlyOnce("t1 is left out: t1 is down").doesNotContain("t1 was tried in vain");
    }

    @Test
    @Timeout(60)
    void thePauseGrowsWithTrialsAndNotWithTheCallsThatWereUnderWay() throws Exception {
        down.add("t1");
        call();
        group.failed("t1", new SQLException("so was another call"), watch);
        group.failed("t1", new SQLException("and one more"), watch);
        nanos.addAndGet(Duration.ofMillis(500).toNanos());

        call();
        await(() -> seen.contains("t1 was tried in vain: t1 is down"));

        nanos.addAndGet(Duration.ofMillis(999).toNanos());
        call();
        assertThat(asked)
                .filteredOn("trial of t1"::equals)
                .as("within a second")
                .hasSize(1);
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        await(() -> {
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
        ServerGroup<String> alone = group("t1");
        down.add("t1");

        assertThatThrownBy(() -> call(alone)).hasMessage("No server gives ids; t1 said: t1 is down");
        assertThat(seen).containsExactly("t1 failed again: t1 is down");
        assertThat(alone.failure(0)).contains("t1 is down");
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            Thread.sleep(1);
        }
    }

    private String call() throws InterruptedException {
        return call(group);
    }

    private String call(ServerGroup<String> of) throws InterruptedException {
        return of.call(
                server -> {
                    asked.add(server);
                    return answer(server);
                },
                server -> {
                    asked.add("trial of " + server);
                    beforeTrial.run();
                    return answer(server);
                },
                watch);
    }

    private String answer(String server) throws SQLException {
        if (down.contains(server)) {
            throw new SQLException(server + " is down");
        }
        return server;
    }
}
