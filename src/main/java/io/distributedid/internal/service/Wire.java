package io.distributedid.internal.service;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** What a client does with the world outside: requests and time. {@link HttpCalls}, or that of a simulation. */
interface Wire extends AutoCloseable {

    /**
     * Sends a request. A cancelled one has ended.
     *
     * @return fails with what the JDK's client throws, or a {@link java.util.concurrent.CancellationException} if this
     *     object is closed
     */
    CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request);

    /** Runs an action after a time, on a thread that must not wait. Does nothing after {@link #close}. */
    Future<?> after(Duration time, Runnable action);

    /** Ends all requests with an error. Does not wait. */
    void cut();

    @Override
    void close();
}
