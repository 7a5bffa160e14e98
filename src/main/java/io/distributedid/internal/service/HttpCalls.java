package io.distributedid.internal.service;

import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Pages;
import java.net.ProtocolException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests with the JDK's client, and limits the length of answers. Its threads are {@link LibraryThread}s, and
 * so is the one that makes the client: the client's own thread keeps the context class loader of its maker.
 * Thread-safe.
 */
final class HttpCalls implements Wire {

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

    private volatile boolean closed;

    /**
     * Does not connect to any server.
     *
     * @param user for the names of threads
     * @param trust empty for the certificates that the JVM trusts
     */
    HttpCalls(String user, Optional<SSLContext> trust, Duration connectTimeout) throws InterruptedException {
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
        try {
            client = LibraryThread.call(() -> {
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

    @Override
    @SuppressWarnings("CollectionUndefinedEquality") // Futures are told apart by identity.
    public CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request) {
        if (closed) {
            return CompletableFuture.failedFuture(new CancellationException());
        }
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, head -> new LimitedBody());
        underWay.add(sent);
        CompletableFuture<?> unused = sent.whenComplete((response, failure) -> underWay.remove(sent));
        if (closed) {
            sent.cancel(true);
        }
        return sent;
    }

    @Override
    public Future<?> after(Duration time, Runnable action) {
        try {
            return timer.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
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

    /** Collects the body of an answer, and ends the connection if it is too long for one of an issuing service. */
    private static final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {

        private final HttpResponse.BodySubscriber<byte[]> bytes = HttpResponse.BodySubscribers.ofByteArray();

        private long length;

        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return bytes.getBody();
        }

        @Override
        public void onSubscribe(Flow.Subscription begun) {
            subscription = begun;
            bytes.onSubscribe(begun);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            length += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
            if (length > LONGEST_ANSWER) {
                Objects.requireNonNull(subscription).cancel();
                onError(new ProtocolException(
                        "The answer is longer than " + LONGEST_ANSWER + " bytes" + Pages.onCall("service-answer")));
            } else {
                bytes.onNext(buffers);
            }
        }

        @Override
        public void onError(Throwable failure) {
            bytes.onError(failure);
        }

        @Override
        public void onComplete() {
            bytes.onComplete();
        }
    }
}
