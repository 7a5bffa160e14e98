package io.distributedid.internal.service;

import io.distributedid.internal.process.LibraryThread;
import java.net.ProtocolException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/**
 * Sends requests and limits the time of each, the end of its answer included: the timeout of the JDK's client ends with
 * the headers. Each request has a random id, which a server repeats in its answer: one that was kept for another
 * request is refused, since its ids or numbers were given before. Its threads are {@link LibraryThread}s, and so is the
 * one that makes the client: the client's own thread keeps the context class loader of its maker. Thread-safe.
 */
public final class HttpCalls implements AutoCloseable {

    /** The header with the id of a request, and of its answer. Servers of other makers need not repeat it. */
    public static final String REQUEST_ID = "Distributedid-Request";

    /** Ten thousand ids take a quarter of it. */
    private static final int LONGEST_ANSWER = 1 << 20;

    private static final int THREADS = 4;

    private static final long IDLE_SECONDS = 10;

    /** The names of the threads begin with it. */
    private final String name;

    private final ScheduledThreadPoolExecutor timer;

    private final ThreadPoolExecutor workers;

    private final HttpClient client;

    private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

    private final LongSupplier nanoTime;

    private volatile boolean closed;

    /**
     * Does not connect to any server.
     *
     * @param user for the names of threads
     * @param trust empty for the certificates that the JVM trusts
     */
    public HttpCalls(String user, Optional<SSLContext> trust, Duration connectTimeout) throws InterruptedException {
        this(user, trust, connectTimeout, System::nanoTime);
    }

    HttpCalls(String user, Optional<SSLContext> trust, Duration connectTimeout, LongSupplier nanoTime)
            throws InterruptedException {
        this.nanoTime = nanoTime;
        name = "distributedid-" + user + "-";
        timer = new ScheduledThreadPoolExecutor(1, threads(name + "timer-"));
        workers = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(name + "http-"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        workers.allowCoreThreadTimeOut(true);
        // The client hands work over until it has ended, which may be later than these threads.
        workers.setRejectedExecutionHandler((task, pool) -> task.run());
        client = built(trust, connectTimeout);
    }

    private HttpClient built(Optional<SSLContext> trust, Duration connectTimeout) throws InterruptedException {
        try {
            return LibraryThread.call(() -> {
                HttpClient.Builder builder =
                        HttpClient.newBuilder().executor(workers).connectTimeout(connectTimeout);
                trust.ifPresent(builder::sslContext);
                return builder.build();
            });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ThreadFactory threads(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> LibraryThread.named(prefix + number.incrementAndGet(), task);
    }

    /** @param left of the limit, in nanoseconds */
    @SuppressWarnings("CollectionUndefinedEquality") // Futures are told apart by identity.
    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request, Duration limit, long left) {
        if (closed) {
            return CompletableFuture.failedFuture(new CancellationException());
        }
        String id = UUID.randomUUID().toString();
        HttpRequest named = HttpRequest.newBuilder(request, (name, value) -> true)
                .header(REQUEST_ID, id)
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer = new CompletableFuture<>();
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(named, head -> new LimitedBody(LONGEST_ANSWER));
        Future<?> timeout;
        underWay.add(sent);
        try {
            timeout = timer.schedule(() -> end(sent, answer, limit), left, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed since the first line.
            sent.cancel(true);
            return CompletableFuture.failedFuture(new CancellationException());
        }
        CompletableFuture<?> unused = sent.whenComplete((response, failure) -> {
            timeout.cancel(false);
            underWay.remove(sent);
            if (failure != null) {
                answer.completeExceptionally(HttpFailures.unwrapped(failure));
            } else if (response.headers().allValues(REQUEST_ID).stream().allMatch(id::equals)) {
                answer.complete(response);
            } else {
                answer.completeExceptionally(new ProtocolException("The answer is that of another request. Nothing"
                        + " between this process and the service may keep answers"));
            }
        });
        if (closed) {
            sent.cancel(true);
        }
        return answer;
    }

    /**
     * Sends a request, and once more if its connection broke: the server may have ended a connection that was idle.
     *
     * @param limit the time until the end of the answer, of both requests together
     * @return fails with what the JDK's client throws, an {@link HttpTimeoutException} after the limit, a
     *     {@link ProtocolException} if the answer is that of another request, or a {@link CancellationException} if
     *     this object is closed
     */
    public CompletableFuture<HttpResponse<byte[]>> sendAgainIfBroken(HttpRequest request, Duration limit) {
        long began = nanoTime.getAsLong();
        return send(request, limit, limit.toNanos())
                .exceptionallyCompose(failure -> HttpFailures.isBroken(failure)
                        ? send(request, limit, limit.toNanos() - (nanoTime.getAsLong() - began))
                        : CompletableFuture.failedFuture(failure));
    }

    private static void end(CompletableFuture<?> sent, CompletableFuture<?> answer, Duration limit) {
        answer.completeExceptionally(new HttpTimeoutException("No answer within " + limit.toMillis() + " ms"));
        sent.cancel(true);
    }

    /** Runs an action after a time, on a thread that must not wait. Does nothing after {@link #close}. */
    Future<?> after(Duration time, Runnable action) {
        try {
            return timer.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Ends all requests with an error. Does not wait. */
    public void cut() {
        closed = true;
        underWay.forEach(each -> each.cancel(true));
    }

    /** Ends all requests and all threads. Before JDK 21, that of the client ends when nothing refers to the client. */
    @Override
    public void close() {
        cut();
        timer.shutdownNow();
        workers.shutdown();
        if (client instanceof AutoCloseable closeable) {
            // From JDK 21 on. It waits, although not for long, since no request is left.
            LibraryThread.named(name + "close", () -> close(closeable)).start();
        }
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
