package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.service.ServiceException.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which servers are asked for one answer. The test gives the answers. */
class RaceTest {

    private final List<Runnable> timers = new ArrayList<>();

    /** The clock stands still. */
    private final ServicePool pool = MemoryWire.pool(
            ServiceServerTest.SETTINGS,
            new ServiceSettings.Service(
                    List.of(URI.create("http://a"), URI.create("http://b"), URI.create("http://c")),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofMinutes(1)),
            new MemoryWire.Outside() {

                @Override
                public void send(URI address, String method, String id, Consumer<MemoryWire.Answer> answer) {
                    throw new IllegalStateException();
                }

                @Override
                public void after(Duration time, Runnable action) {
                    timers.add(action);
                }
            },
            () -> 0);

    private final Map<ServiceServer, CompletableFuture<String>> asked = new HashMap<>();

    @AfterEach
    void stop() {
        pool.close();
    }

    private final Subject subject = new Subject() {

        @Override
        public Optional<ServiceServer> likely() {
            return Optional.empty();
        }

        @Override
        public boolean isFinal(Exception failure) {
            return false;
        }

        @Override
        public Duration timeout() {
            return Duration.ZERO;
        }

        @Override
        public boolean isGivenUp(long began, long now) {
            return true;
        }

        @Override
        public Outage outage() {
            return new Outage();
        }

        @Override
        public String none() {
            return "none";
        }
    };

    private CompletableFuture<String> ask(ServiceServer server) {
        return asked.computeIfAbsent(server, each -> new CompletableFuture<>());
    }

    private void passSlow() {
        List<Runnable> due = List.copyOf(timers);
        timers.clear();
        due.forEach(Runnable::run);
    }

    /** The third one hangs. */
    @Test
    void aServerThatIsOnTrialIsAskedAsSoonAsItIsInUseAgain() throws Exception {
        ServiceServer first = pool.inOrder().get(0);
        ServiceServer tried = pool.inOrder().get(1);
        ServerPause pause = tried.pause();
        pause.failed(new ServiceException(Kind.UNREACHABLE, "away", null), false);
        Race<String> race = new Race<>(pool, subject, this::ask);
        CompletableFuture<ServicePool.Ended<String>> answer = race.begin();
        assertThat(asked.keySet()).containsExactly(first);

        ask(first).completeExceptionally(new ServiceException(Kind.UNAVAILABLE, "no ids", null));
        assertThat(asked)
                .as("the second one was left out a moment ago")
                .hasSize(2)
                .doesNotContainKey(tried);
        passSlow();
        assertThat(asked).doesNotContainKey(tried);
        pause.succeeded();
        passSlow();
        assertThat(asked).containsKey(tried);
        ask(tried).complete("an answer");

        assertThat(answer.get().server()).isEqualTo(tried);
    }

    /** Such a server may hang once more, while another one is good again: the next race asks that. */
    @Test
    void aRaceDoesNotWaitForServersThatAreAskedAgain() {
        List<CompletableFuture<String>> requests = new ArrayList<>();
        Race<String> race = new Race<>(pool, subject, server -> {
            CompletableFuture<String> request = new CompletableFuture<>();
            requests.add(request);
            return request;
        });
        CompletableFuture<ServicePool.Ended<String>> answer = race.begin();
        passSlow();
        passSlow();
        assertThat(requests).hasSize(3);
        Exception failure = new ServiceException(Kind.UNAVAILABLE, "no ids", null);
        requests.get(2).completeExceptionally(failure);
        requests.get(0).completeExceptionally(failure);
        passSlow();
        passSlow();
        assertThat(requests).as("two are asked again").hasSize(5);
        assertThat(answer).isNotDone();

        requests.get(1).completeExceptionally(failure);

        assertThat(answer).isCompletedExceptionally();
    }
}
