package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.jdbc.OutageLog;
import io.distributedid.internal.service.ServiceException.Kind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * One server of an issuing service, version 1 of its protocol. Its futures fail with a {@link ServiceException}, or
 * with an exception of this library that a later request would meet again. Thread-safe.
 *
 * <p>A request whose connection broke is sent once more: the server may have ended a connection that was idle. Every
 * request takes other ids or numbers. Those of an answer that was lost are a gap.
 */
public final class ServiceServer {

    private final int place;

    private final URI address;

    private final HttpCalls http;

    private final Optional<String> token;

    private final ServiceSettings settings;

    private final ServiceAnswers answers;

    private final Duration timeout;

    private final ServerPause pause;

    private final OutageLog unavailable = ServerPause.outages(System::nanoTime);

    private final AtomicInteger slow = new AtomicInteger();

    /** Does not connect to it. */
    ServiceServer(
            int place,
            ServiceSettings settings,
            ServiceSettings.Service service,
            HttpCalls http,
            LongSupplier nanoTime) {
        this.place = place;
        this.address = service.servers().get(place);
        this.http = http;
        this.token = service.token();
        this.settings = settings;
        this.answers = new ServiceAnswers(settings, token);
        this.timeout = service.timeout();
        this.pause = new ServerPause(address.toString(), ServerPause.outages(nanoTime), nanoTime);
    }

    /** Where it stands among the servers. */
    public int place() {
        return place;
    }

    public String label() {
        return pause.label();
    }

    /** Whether it is left out for everything, since it could not be reached. */
    public ServerPause pause() {
        return pause;
    }

    /** What is logged of sequences of which it has no ids now. */
    public OutageLog unavailable() {
        return unavailable;
    }

    /** Whether a request has waited for so long that it may hang. */
    boolean isSlow() {
        return slow.get() > 0;
    }

    /** @param requests that began or ceased to wait for long */
    void addSlow(int requests) {
        slow.addAndGet(requests);
    }

    /** Whether this is the server at an address, as another server wrote it. */
    boolean isAt(String other) {
        return ServiceAddress.parse(other).map(address::equals).orElse(false);
    }

    /**
     * Asks for something.
     *
     * @param about for messages, as in {@code seq=photos}
     * @param reader of the answer; throws {@link IllegalArgumentException}, {@link ArithmeticException} or
     *     {@link DateTimeException} if it breaks the rules
     */
    public <T> CompletableFuture<T> get(String path, String about, Function<JsonObject, T> reader) {
        return call(request(path).GET().build(), about, timeout, reader);
    }

    /** Has the server do something; otherwise as {@link #get}. */
    public <T> CompletableFuture<T> post(String path, String about, Function<JsonObject, T> reader) {
        HttpRequest request =
                request(path).POST(HttpRequest.BodyPublishers.noBody()).build();
        return call(request, about, timeout, reader);
    }

    /**
     * The same with a body.
     *
     * @param more the time that the server may take beside that of a request
     */
    public CompletableFuture<JsonObject> post(String path, String about, String json, Duration more) {
        HttpRequest request = request(path)
                .header("Content-Type", ServiceAnswers.JSON)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return call(request, about, timeout.plus(more), Function.identity());
    }

    /** Over HTTP/2 only with TLS, which agrees on it without a trip. */
    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path))
                .version("https".equals(address.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .header("Accept", ServiceAnswers.JSON + ", application/problem+json");
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    private <T> CompletableFuture<T> call(
            HttpRequest request, String about, Duration limit, Function<JsonObject, T> reader) {
        return http.sendAgainIfBroken(request, limit).handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(failure(failure));
            }
            return read(response, about, reader);
        });
    }

    private <T> T read(HttpResponse<byte[]> response, String about, Function<JsonObject, T> reader) {
        try {
            return reader.apply(answers.read(response, about + ", server=" + label()));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new CompletionException(answers.malformed(e));
        } catch (ServiceException e) {
            throw new CompletionException(e);
        }
    }

    /** A failure as callers know it: a {@link ServiceException}, or an exception of this library. */
    Exception failure(Throwable failure) {
        Throwable inner = HttpFailures.unwrapped(failure);
        if (inner instanceof ServiceException || inner instanceof DistributedIdException) {
            return (Exception) inner;
        }
        return new ServiceException(Kind.UNREACHABLE, HttpFailures.text(inner, address.getHost(), settings), inner);
    }
}
