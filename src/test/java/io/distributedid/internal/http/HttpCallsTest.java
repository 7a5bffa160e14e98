package io.distributedid.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.IssuingServer;
import io.distributedid.testkit.IssuingServer.Answer;
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
