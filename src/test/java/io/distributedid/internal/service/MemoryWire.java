package io.distributedid.internal.service;

import io.distributedid.internal.process.Platform;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;

/** Requests to services in the memory of a simulation. */
public final class MemoryWire implements Wire {

    /** An answer. A client refuses the id of another request. */
    public record Answer(int status, String id, String body) {}

    /** What the services and time do. */
    public interface Outside {

        /** @param answer takes an answer, or null if the connection breaks; at most once */
        void send(URI address, String method, String id, Consumer<Answer> answer);

        /** Runs an action later. */
        void after(Duration time, Runnable action);
    }

    private final Outside outside;

    private final Set<CompletableFuture<?>> underWay = new LinkedHashSet<>();

    private boolean isClosed;

    private MemoryWire(Outside outside) {
        this.outside = outside;
    }

    /** The servers of a client. */
    public static ServicePool pool(
            ServiceSettings settings, ServiceSettings.Service service, Outside outside, Platform platform) {
        return new ServicePool(settings, service, new MemoryWire(outside), platform);
    }

    @Override
    public CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> sent = new CompletableFuture<>();
        if (isClosed) {
            sent.completeExceptionally(new CancellationException());
            return sent;
        }
        underWay.add(sent);
        String id = request.headers().firstValue(ServiceServer.REQUEST_ID).orElseThrow();
        outside.send(request.uri(), request.method(), id, answer -> {
            underWay.remove(sent);
            if (answer == null) {
                sent.completeExceptionally(new IOException("The server ended the connection"));
            } else {
                sent.complete(new Response(request, answer));
            }
        });
        return sent;
    }

    @Override
    public Future<?> after(Duration time, Runnable action) {
        CompletableFuture<?> due = new CompletableFuture<>();
        outside.after(time, () -> {
            if (!isClosed && due.complete(null)) {
                action.run();
            }
        });
        return due;
    }

    @Override
    public void cut() {
        isClosed = true;
        List.copyOf(underWay).forEach(each -> each.cancel(true));
    }

    @Override
    public void close() {
        cut();
    }

    private record Response(@Override HttpRequest request, Answer answer) implements HttpResponse<byte[]> {

        @Override
        public int statusCode() {
            return answer.status;
        }

        @Override
        public HttpHeaders headers() {
            String type = answer.status < 300 ? "application/json" : "application/problem+json";
            return HttpHeaders.of(
                    Map.of("Content-Type", List.of(type), ServiceServer.REQUEST_ID, List.of(answer.id)),
                    (name, value) -> true);
        }

        @Override
        public byte[] body() {
            return answer.body.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Optional<HttpResponse<byte[]>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }
}
