package io.distributedid.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a clock that the test sets. Only the time until a request ends is true time. */
class HttpCallsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private final DistributedIds unused = DistributedIds.create(Map.of("distributedid.backend", "memory"));

    private final IssuingServer server = IssuingServer.start(unused);

    private final AtomicInteger requests = new AtomicInteger();

    private HttpCalls http;

    @BeforeEach
    void connect() throws InterruptedException {
        http = new HttpCalls("test", Optional.empty(), Duration.ofSeconds(30), nanos::get);
    }

    @AfterEach
    void stop() {
        http.close();
        server.close();
        unused.close();
    }

    /** The JDK's client sends a GET again itself. */
    private CompletableFuture<HttpResponse<byte[]>> send() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url()))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return http.sendAgainIfBroken(request, LIMIT);
    }

    @Test
    void aRequestWhoseConnectionBrokeIsSentOnceMore() throws Exception {
        server.fault((request, usual) -> requests.getAndIncrement() == 0 ? null : Answer.ok("{}"));

        assertThat(send().get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        assertThat(requests.get()).isEqualTo(2);
    }

    @Test
    void anAnswerThatWasKeptForAnotherRequestIsRefusedAndNotAskedForAgain() throws Exception {
        AtomicReference<String> first = new AtomicReference<>();
        HttpServer keeping = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        keeping.createContext("/", exchange -> {
            try (exchange) {
                requests.incrementAndGet();
                first.compareAndSet(null, exchange.getRequestHeaders().getFirst(HttpCalls.REQUEST_ID));
                exchange.getResponseHeaders().set(HttpCalls.REQUEST_ID, first.get());
                exchange.sendResponseHeaders(204, -1);
            }
        });
        keeping.start();
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "http://127.0.0.1:" + keeping.getAddress().getPort()))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(http.sendAgainIfBroken(request, LIMIT)
                            .get(1, TimeUnit.MINUTES)
                            .statusCode())
                    .isEqualTo(204);
            assertThat(first.get()).hasSizeGreaterThan(30);

            CompletableFuture<HttpResponse<byte[]>> again = http.sendAgainIfBroken(request, LIMIT);
            assertThatThrownBy(() -> again.get(1, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(ProtocolException.class)
                    .hasRootCauseMessage("The answer is that of another request. Nothing between this process and the"
                            + " service may keep answers");
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
            nanos.addAndGet(LIMIT.minusMillis(500).toNanos());
            return null;
        });

        CompletableFuture<HttpResponse<byte[]>> answer = send();
        assertThatThrownBy(() -> answer.get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(HttpTimeoutException.class)
                .hasRootCauseMessage("No answer within 120000 ms");
    }
}
