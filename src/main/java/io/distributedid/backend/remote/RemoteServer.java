package io.distributedid.backend.remote;

import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.http.HttpCalls;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.ServiceAddress;
import io.distributedid.internal.jdbc.OutageLog;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * One server of an issuing service, version 1 of its protocol. Its futures fail with a {@link RemoteException}, or with
 * an exception of this library that a later request would meet again. Thread-safe.
 *
 * <p>A request whose connection broke is sent once more: the server may have ended a connection that was idle. Every
 * request for ids reserves other ids. Those of an answer that was lost are a gap.
 */
final class RemoteServer {

    /** Where it stands among the servers. */
    private final int place;

    private final URI address;

    private final HttpCalls http;

    private final Optional<String> token;

    private final Answers answers;

    private final Duration timeout;

    private final ServerPause pause;

    private final OutageLog unavailable = ServerPause.outages(System::nanoTime);

    private final AtomicInteger slow = new AtomicInteger();

    /**
     * Does not connect to it.
     *
     * @param address without path
     * @param token that it asks for
     * @param timeout of one request
     */
    RemoteServer(
            int place, URI address, HttpCalls http, Optional<String> token, Duration timeout, LongSupplier nanoTime) {
        this.place = place;
        this.address = address;
        this.http = http;
        this.token = token;
        this.answers = new Answers(token);
        this.timeout = timeout;
        this.pause = new ServerPause(address.toString(), ServerPause.outages(nanoTime), nanoTime);
    }

    int place() {
        return place;
    }

    String label() {
        return pause.label();
    }

    ServerPause pause() {
        return pause;
    }

    /** What is logged of sequences of which it has no ids now. */
    OutageLog unavailable() {
        return unavailable;
    }

    /** Whether a request has waited for so long that it may hang. */
    boolean isSlow() {
        return slow.get() > 0;
    }

    /** A request waits for long. */
    void beginSlow() {
        slow.incrementAndGet();
    }

    void endSlow() {
        slow.decrementAndGet();
    }

    /** Whether this is the server at an address, as another server wrote it. */
    boolean isAt(String other) {
        return ServiceAddress.parse(other).map(address::equals).orElse(false);
    }

    /** Asks about a sequence. */
    CompletableFuture<JsonObject> get(String sequence, String path) {
        return call(request(sequence, path).GET().build(), sequence, timeout);
    }

    /** Has the server do something with a sequence. */
    CompletableFuture<JsonObject> post(String sequence, String path) {
        return call(
                request(sequence, path)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                sequence,
                timeout);
    }

    /**
     * The same with a body.
     *
     * @param more the time that the server may take beside that of a request
     */
    CompletableFuture<JsonObject> post(String sequence, String path, String json, Duration more) {
        Duration limit = timeout.plus(more);
        return call(
                request(sequence, path)
                        .header("Content-Type", ServiceAddress.JSON)
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build(),
                sequence,
                limit);
    }

    private HttpRequest.Builder request(String sequence, String path) {
        return ServiceAddress.request(address, "/v1/sequences/" + sequence + path, token);
    }

    private CompletableFuture<JsonObject> call(HttpRequest request, String sequence, Duration limit) {
        return http.sendAgainIfBroken(request, limit).handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(Failures.of(failure, address.getHost()));
            }
            return read(response, sequence);
        });
    }

    private JsonObject read(HttpResponse<byte[]> response, String sequence) {
        try {
            return answers.read(response, "seq=" + sequence + ", server=" + label());
        } catch (RemoteException e) {
            throw new CompletionException(e);
        }
    }

    /** The error for an answer that breaks the rules. */
    RemoteException malformed(RuntimeException e) {
        return answers.malformed(e);
    }
}
