package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers of an issuing service, which can stand in for each other. One is in use: the first in an order that
 * begins at a random place in each process, so that processes spread over the servers. If it fails, or does not answer
 * within {@link #SLOW}, the next one is asked, see {@link Race}. A server that failed is left out, and tried again in
 * the background, see {@link ServerPause}. While all are left out, callers try them. Thread-safe.
 */
public final class ServicePool implements AutoCloseable {

    /** After this time a server may hang. */
    static final Duration SLOW = Duration.ofMillis(300);

    private final ServiceSettings settings;

    private final Wire http;

    private final Platform platform;

    private final List<ServiceServer> servers;

    /** Those that are asked first come first. */
    private final List<ServiceServer> inOrder;

    /**
     * The end of one request.
     *
     * @param answer null if there is a failure
     * @param failure a {@link ServiceException}, or an exception of this library; null if there is an answer
     */
    public record Ended<T>(
            ServiceServer server,
            @Nullable T answer,
            @Nullable Exception failure) {

        /** The answer, if there is no failure. */
        public T good() {
            return Objects.requireNonNull(answer);
        }
    }

    /**
     * Does not connect to any server.
     *
     * @param user for the names of threads
     * @throws io.distributedid.IdConfigurationException if the certificates can't be read
     */
    public ServicePool(ServiceSettings settings, ServiceSettings.Service service, String user, Platform platform) {
        this(settings, service, open(settings, service, user), platform);
    }

    ServicePool(ServiceSettings settings, ServiceSettings.Service service, Wire http, Platform platform) {
        this.settings = settings;
        this.http = http;
        this.platform = platform;
        servers = service.servers().stream()
                .map(address -> new ServiceServer(address, settings, service, http, platform))
                .toList();
        List<ServiceServer> rotated = new ArrayList<>(servers);
        Collections.rotate(rotated, Math.toIntExact(platform.random(0, servers.size())));
        inOrder = List.copyOf(rotated);
    }

    private static Wire open(ServiceSettings settings, ServiceSettings.Service service, String user) {
        try {
            return settings.open(service, user);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IdUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while asking the servers of ids", e);
    }

    /** As the settings name them. */
    public List<ServiceServer> servers() {
        return servers;
    }

    /** Those that are asked first come first. */
    public List<ServiceServer> inOrder() {
        return inOrder;
    }

    /** The server at an address, as another server wrote it. Empty if the settings do not name it. */
    public Optional<ServiceServer> find(String address) {
        return servers.stream().filter(each -> each.isAt(address)).findFirst();
    }

    /** The servers in messages. */
    public String label() {
        return servers.stream().map(ServiceServer::label).collect(Collectors.joining(", "));
    }

    Platform platform() {
        return platform;
    }

    ServiceException ofStranger(ServiceException e, String owner) {
        return new ServiceException(
                ServiceException.Kind.ELSEWHERE,
                e.getMessage() + ". That server is not in " + settings.servers() + ": " + owner,
                e);
    }

    /**
     * Asks one server after the other until one gives a good answer. Does not wait.
     *
     * @param question asks one server
     * @return fails with a {@link DistributedIdException}: that of the {@link Subject#isFinal} failure, or one with the
     *     messages of all failures
     */
    public <T> CompletableFuture<Ended<T>> ask(
            Subject subject, Function<ServiceServer, CompletableFuture<T>> question) {
        return new Race<>(this, subject, question).begin();
    }

    /**
     * Asks all servers at once, and takes nothing. Those that are left out are asked only if all answers are wanted, or
     * if there is no other. Waits.
     *
     * @param waitsForAll if false, a good answer is enough: others are then waited for no longer than 300 ms
     * @return what the servers answered by then
     */
    public <T> List<Ended<T>> askAll(
            Subject subject, boolean waitsForAll, Function<ServiceServer, CompletableFuture<T>> question) {
        List<ServiceServer> inUse =
                servers.stream().filter(each -> subject.pause(each).isEmpty()).toList();
        List<ServiceServer> which = waitsForAll || inUse.isEmpty() ? servers : inUse;
        Collection<Ended<T>> ended = new ConcurrentLinkedQueue<>();
        CompletableFuture<?> isEnough = new CompletableFuture<>();
        CompletableFuture<?>[] all = which.stream()
                .map(server -> send(subject, server, false, question, null, () -> {})
                        .thenAccept(end -> {
                            ended.add(end);
                            if (end.failure == null && !waitsForAll) {
                                CompletableFuture<?> unused = after(SLOW).thenRun(() -> isEnough.complete(null));
                            }
                        }))
                .toArray(CompletableFuture<?>[]::new);
        try {
            await(CompletableFuture.anyOf(isEnough, CompletableFuture.allOf(all)));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return List.copyOf(ended);
    }

    /**
     * Waits for what {@link #ask} gives. If this thread is interrupted, no further server is asked.
     *
     * @throws DistributedIdException as the future fails, with the stack of this caller
     */
    public <T> T await(CompletableFuture<T> asked) throws InterruptedException {
        try {
            return platform.await(asked, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            asked.cancel(false);
            throw e;
        } catch (ExecutionException | TimeoutException e) {
            if (HttpFailures.unwrapped(e) instanceof DistributedIdException known) {
                throw Pending.own(known);
            }
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sends a request. Its end changes what is known of the server, also after its caller has stopped waiting.
     *
     * @param isTaking whether an answer says that the server has what the subject wants
     * @param trial the pause under which it is tried; null if it is in use
     * @param late run each time when the server has not answered for {@link #SLOW} more
     */
    <T> CompletableFuture<Ended<T>> send(
            Subject subject,
            ServiceServer server,
            boolean isTaking,
            Function<ServiceServer, CompletableFuture<T>> question,
            @Nullable ServerPause trial,
            Runnable late) {
        CompletableFuture<T> asked;
        try {
            asked = question.apply(server);
        } catch (RuntimeException | Error e) {
            asked = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Ended<T>> ended = asked.handle((answer, failure) -> {
                    Exception reason = failure == null ? null : server.failure(failure);
                    try {
                        note(subject, server, isTaking, reason, trial);
                    } finally {
                        if (trial != null) {
                            trial.endTrial();
                        }
                    }
                    return new Ended<>(server, answer, reason);
                })
                // What can't be noted must not keep its caller waiting.
                .exceptionally(broken -> new Ended<>(server, null, server.failure(broken)));
        if (servers.size() > 1 && !ended.isDone()) {
            watch(ended, server, late);
        }
        return ended;
    }

    private static void note(
            Subject subject,
            ServiceServer server,
            boolean isTaking,
            @Nullable Exception failure,
            @Nullable ServerPause trial) {
        ServerPause pause = server.pause();
        if (pause.isClosing()) {
            return;
        }
        if (isTaking || failure != null) {
            subject.ended(server, failure, trial);
        }
        if (failure != null && ServiceException.isOf(ServiceException.Kind.UNREACHABLE, failure)) {
            pause.failed(failure, pause.equals(trial));
        } else {
            pause.succeeded();
        }
    }

    private void watch(CompletableFuture<?> ended, ServiceServer server, Runnable late) {
        Future<?> timer = http.after(SLOW, () -> {
            if (!ended.isDone()) {
                server.addSlow(1);
                CompletableFuture<?> unused = ended.whenComplete((end, failure) -> server.addSlow(-1));
                late.run();
                watch(ended, server, late);
            }
        });
        CompletableFuture<?> unused = ended.whenComplete((end, failure) -> timer.cancel(false));
    }

    /** Completed after a time, on a thread that must not wait; never after {@link #close}. */
    public CompletableFuture<?> after(Duration time) {
        CompletableFuture<?> over = new CompletableFuture<>();
        Future<?> unused = http.after(time, () -> over.complete(null));
        return over;
    }

    /** From now on, failures of the servers are not logged. */
    public void stop() {
        servers.forEach(server -> server.pause().close());
    }

    /** Ends the requests under way, and does not wait. */
    public void cut() {
        stop();
        http.cut();
    }

    @Override
    public void close() {
        stop();
        http.close();
    }
}
