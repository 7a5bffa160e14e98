package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.distributedid.DistributedIds;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a clock that the test sets. Only the time until a request ends is true time. */
class ServiceServerTest {

    static final ServiceSettings SETTINGS = new ServiceSettings(
            Setting.list("distributedid.servers", "For tests.", ServiceSettings.ADDRESSES),
            Setting.password("distributedid.token", "For tests."),
            Setting.text("distributedid.trust", "For tests.", ServiceSettings.CERTIFICATES));

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final DistributedIds unused = DistributedIds.create(Map.of("distributedid.backend", "memory"));

    private final IssuingServer server = IssuingServer.start(unused);

    private final AtomicInteger requests = new AtomicInteger();

    private final HttpCalls http = new HttpCalls("test", Optional.empty(), Duration.ofSeconds(30));

    ServiceServerTest() throws InterruptedException {}

    static ServiceSettings.Service service(URI server) {
        return new ServiceSettings.Service(List.of(server), Optional.empty(), Optional.empty(), Duration.ofMinutes(2));
    }

    @AfterEach
    void stop() {
        http.close();
        server.close();
        unused.close();
    }

    /** The JDK's client sends a GET again itself. */
    private CompletableFuture<Json> send(String url) {
        URI address = URI.create(url);
        return new ServiceServer(address, SETTINGS, service(address), http, nanos::get)
                .post("/", "seq=photos", Function.identity());
    }

    @Test
    void aRequestWhoseConnectionBrokeIsSentOnceMore() throws Exception {
        server.fault((request, usual) -> requests.getAndIncrement() == 0 ? null : Answer.ok("{}"));

        assertThat(send(server.url()).get(1, TimeUnit.MINUTES).members()).isEmpty();
        assertThat(requests.get()).isEqualTo(2);
    }

    @Test
    void anAnswerThatWasKeptForAnotherRequestIsRefusedAndNotAskedForAgain() throws Exception {
        AtomicReference<String> first = new AtomicReference<>();
        HttpServer keeping = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        keeping.createContext("/", exchange -> {
            try (exchange) {
                requests.incrementAndGet();
                first.compareAndSet(null, exchange.getRequestHeaders().getFirst(ServiceServer.REQUEST_ID));
                exchange.getResponseHeaders().set(ServiceServer.REQUEST_ID, first.get());
                exchange.sendResponseHeaders(204, -1);
            }
        });
        keeping.start();
        try {
            String url = "http://127.0.0.1:" + keeping.getAddress().getPort();
            assertThat(send(url).get(1, TimeUnit.MINUTES).members()).isEmpty();
            assertThat(first.get()).hasSizeGreaterThan(30);

            CompletableFuture<Json> again = send(url);
            assertThatThrownBy(() -> again.get(1, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(ServiceException.class)
                    .hasRootCauseInstanceOf(ProtocolException.class)
                    .hasRootCauseMessage("The answer belongs to another request. Nothing between this process and the"
                            + " service may cache answers" + Pages.onCall("service-answer"));
            assertThat(requests.get()).isEqualTo(2);
        } finally {
            keeping.stop(0);
        }
    }

    @Test
    void bothRequestsTogetherTakeNoLongerThanTheLimit() {
        server.fault((request, usual) -> {
            if (requests.getAndIncrement() > 0) {
                return server.hang();
            }
            nanos.addAndGet(Duration.ofMinutes(2).minusMillis(500).toNanos());
            return null;
        });

        CompletableFuture<Json> answer = send(server.url());
        assertThatThrownBy(() -> answer.get(1, TimeUnit.MINUTES))
                .hasRootCauseInstanceOf(HttpTimeoutException.class)
                .hasRootCauseMessage("No answer within 120000 ms");
    }
}
