package io.distributedid.internal.keyed.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.source.KeyHash;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests go to the server that gives the numbers of their key. The servers here say what a test wants. */
@Timeout(60)
class RemoteKeysTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private static final String KEY = "7";

    private static final ServiceSettings SETTINGS = new ServiceSettings(
            Setting.list("distributedid.keyed.remote.servers", "For tests.", ServiceSettings.ADDRESSES),
            Setting.password("distributedid.token", "For tests."),
            Setting.text("distributedid.trust", "For tests.", ServiceSettings.CERTIFICATES));

    /** A server that has all keys if it is {@code owner}, and otherwise names another. */
    private static final class Server implements AutoCloseable {

        private static final int SECTIONS = 4;

        private final HttpServer http;

        private final ExecutorService threads = Executors.newCachedThreadPool();

        private final List<String> requests = new CopyOnWriteArrayList<>();

        private final AtomicLong last;

        /** Null if it has the keys itself. */
        private volatile String redirect;

        /** They divide the keys. Empty if {@code redirect} decides. */
        private volatile List<Server> owners = List.of();

        private volatile boolean refuses;

        private volatile long delayMillis;

        /** How many of the next requests for numbers meet an outage. */
        private final AtomicInteger unavailable = new AtomicInteger();

        Server(AtomicLong last) throws IOException {
            this.last = last;
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.setExecutor(threads);
            http.createContext("/", this::handle);
            http.start();
        }

        String url() {
            return "http://127.0.0.1:" + http.getAddress().getPort();
        }

        List<String> posts() {
            return requests.stream().filter(each -> each.startsWith("POST")).toList();
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Authorization"));
                String query = String.valueOf(exchange.getRequestURI().getQuery());
                String key = query.replaceAll(".*key=|&.*", "");
                if (!owners.isEmpty()) {
                    Server owner = owners.get(owner(key));
                    redirect = owner.equals(this) ? null : owner.url();
                }
                TimeUnit.MILLISECONDS.sleep(delayMillis);
                if (refuses) {
                    answer(
                            exchange,
                            404,
                            "application/problem+json",
                            "{\"type\":\"https://distributedid.io/problems/unknown-sequence\",\"title\":\"t\","
                                    + "\"status\":404,\"detail\":\"There is no such sequence\"}");
                } else if (redirect != null) {
                    exchange.getResponseHeaders().set("Location", redirect + exchange.getRequestURI());
                    answer(
                            exchange,
                            307,
                            "application/problem+json",
                            "{\"type\":\"https://distributedid.io/problems/other-server\",\"title\":\"t\",\"status\":307,"
                                    + "\"detail\":\"Another has it\",\"active\":\"" + redirect + "\"}");
                } else if (unavailable.getAndUpdate(each -> Math.max(0, each - 1)) > 0) {
                    answer(
                            exchange,
                            503,
                            "application/problem+json",
                            "{\"type\":\"https://distributedid.io/problems/unavailable\",\"title\":\"t\",\"status\":503,"
                                    + "\"detail\":\"The store restarts\"}");
                } else {
                    long number = last.incrementAndGet();
                    answer(
                            exchange,
                            200,
                            "application/json",
                            "{\"sequence\":\"messages\",\"key\":\"" + key + "\",\"first\":\"" + number
                                    + "\",\"last\":\"" + number + "\",\"current\":\"" + number + "\"}");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        /** Sections alternate. */
        static int owner(String key) {
            return KeyHash.section(KeyHash.number(key), SECTIONS) % 2;
        }

        private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }

        @Override
        public void close() {
            http.stop(0);
            threads.shutdown();
        }
    }

    private final AtomicLong last = new AtomicLong();

    private final List<Server> servers = new ArrayList<>();

    private RemoteKeys keys;

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            servers.add(new Server(last));
        }
        keys = client(servers.subList(0, 2));
    }

    @AfterEach
    void stop() {
        keys.close();
        servers.forEach(Server::close);
    }

    private static RemoteKeys client(List<Server> all) {
        return new RemoteKeys(SETTINGS, service(all));
    }

    private static ServiceSettings.Service service(List<Server> all) {
        return new ServiceSettings.Service(
                all.stream().map(each -> URI.create(each.url())).toList(),
                Optional.of("s3cr3t"),
                Optional.empty(),
                Duration.ofSeconds(2));
    }

    private long take(Duration timeout) {
        return take("messages", KEY, System.nanoTime(), timeout);
    }

    private long take(String sequence, String key, long began, Duration timeout) {
        return ask(sequence, key, 1, began, timeout);
    }

    private long ask(String sequence, String key, int count, long began, Duration timeout) {
        long left = timeout.toNanos() - (System.nanoTime() - began);
        return keys.ask(sequence, key, count, began, timeout).await(Platform.JVM, left, "key=" + key);
    }

    private long take(String key) {
        return take("messages", key, System.nanoTime(), LONG);
    }

    /** The first server owns all keys. */
    private void partitioned() {
        servers.forEach(each -> each.redirect = servers.get(0).url());
        servers.get(0).redirect = null;
    }

    private int posts() {
        return servers.stream().mapToInt(each -> each.posts().size()).sum();
    }

    @Test
    void theOwnerIsAskedAfterOneRedirect() {
        partitioned();
        take(LONG);

        int others = servers.get(1).posts().size();
        for (int i = 0; i < 20; i++) {
            take(LONG);
        }

        assertThat(servers.get(1).posts())
                .as("requests to the other server: only if the owner is slow on a busy machine")
                .hasSizeLessThan(others + 10);
    }

    @Test
    void serversThatNameEachOtherAreAskedABoundedNumberOfTimes() {
        servers.get(0).redirect = servers.get(1).url();
        servers.get(1).redirect = servers.get(0).url();

        assertThatThrownBy(() -> take(Duration.ofMillis(1)))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("No number within 1 ms (distributedid.block.timeout): seq=messages key=7. ");

        Await.until("both have been asked", () -> posts() >= 2);
        assertThat(posts()).isBetween(2, 5);
        assertThatThrownBy(() -> take(Duration.ofSeconds(1)))
                .hasMessageContaining("No server gives a number: seq=messages key=7; ")
                .hasMessageContaining(" said: Another has it");
    }

    @Test
    void twoKeysOfTwoServersNeedOneRedirectEach() {
        servers.forEach(each -> each.owners = List.of(servers.get(0), servers.get(1)));
        List<String> both = List.of(keyOf(0), keyOf(1));
        both.forEach(this::take);

        int before = posts();
        for (int i = 0; i < 10; i++) {
            both.forEach(this::take);
        }

        assertThat(posts() - before).as("30 with redirects").isBetween(20, 29);
    }

    private static String keyOf(int owner) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> "key" + i)
                .filter(key -> Server.owner(key) == owner)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anOwnerThatTheSettingsDoNotNameGetsNoRequestAndNoToken() {
        servers.subList(0, 2).forEach(each -> each.redirect = servers.get(2).url());

        assertThatThrownBy(() -> take(Duration.ofSeconds(1)))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("That server is not in distributedid.keyed.remote.servers: http://127.0.0.1:");

        assertThat(servers.get(2).requests).isEmpty();
        assertThat(servers.get(0).posts()).isNotEmpty().allMatch(each -> each.endsWith("Bearer s3cr3t"));
    }

    @Test
    void aRefusalEndsACallUnlessAServerThatIsSlowGivesANumber() {
        servers.get(1).unavailable.set(1);
        take(LONG);
        servers.get(1).unavailable.set(0);
        servers.get(1).refuses = true;
        servers.get(0).delayMillis = 700;

        assertThat(take(LONG)).as("by the one that answered last").isPositive();
        servers.get(0).refuses = true;
        assertThatThrownBy(() -> take(LONG))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("There is no such sequence. Check the name of the sequence, and"
                        + " distributedid.server.sequences or distributedid.server.keyed at the service (seq=messages"
                        + " key=7, server=http://127.0.0.1:");
    }

    @Test
    void aServerWithoutNumbersOfAKeyIsAskedForThoseOfOthers() {
        servers.get(0).unavailable.set(2);
        servers.get(1).unavailable.set(2);

        assertThat(Stream.of("1", "2", "3").map(this::take))
                .as("a late answer is a gap")
                .isSorted()
                .doesNotHaveDuplicates();
        assertThatThrownBy(() -> take("other", KEY, System.nanoTime(), Duration.ofSeconds(1)))
                .as("its answers are about messages")
                .hasMessageContaining("The answer is not that of an issuing service: it is about messages 7");
        assertThat(take("4")).isPositive();
    }

    @Test
    void anOutageIsThatOfTheSequence() {
        servers.forEach(each -> each.unavailable.set(Integer.MAX_VALUE));
        assertThatThrownBy(() -> take(Duration.ofSeconds(5)))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("No number within 5000 ms (distributedid.block.timeout): seq=messages key=7. No"
                        + " server gives a number: seq=messages key=7; ");

        long began = System.nanoTime();
        assertThatThrownBy(() -> ask("messages", "8", 0, began + LONG.toNanos(), Duration.ofMillis(1)))
                .as("it has time, and asks once")
                .hasMessageStartingWith("No number within 1 ms");
        servers.forEach(each -> each.unavailable.set(3));
        assertThat(keys.bound("messages", KEY, began + LONG.toNanos(), Duration.ofMillis(1_900)))
                .as("a start divides its time over several keys")
                .isPositive();
        servers.forEach(each -> each.unavailable.set(1));
        assertThat(take("messages", KEY, began + LONG.toNanos(), Duration.ofSeconds(1)))
                .as("the outage is over")
                .isPositive();

        servers.forEach(Server::close);
        assertThatThrownBy(() -> take(Duration.ofSeconds(2))).hasMessageContaining("No connection");
    }

    /** Its callers came before it. That other keys have numbers says nothing about this one. */
    @Test
    void aRequestIsGivenUpAfterTheTimeOfItsCallers() {
        for (KeySpot.Want want : KeySpot.Want.values()) {
            KeySpot spot = new KeySpot(new KeySpot.Keys("invoice"), "42", want, Duration.ofSeconds(10));
            assertThat(spot.isGivenUp(0, TimeUnit.SECONDS.toNanos(10))).isFalse();
            assertThat(spot.isGivenUp(0, TimeUnit.SECONDS.toNanos(11))).isTrue();
        }
    }
}
