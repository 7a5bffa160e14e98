package io.distributedid.internal.service;

import io.distributedid.DistributedIdException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.process.Pending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    private final HttpCalls http;

    private final List<ServiceServer> servers;

    /** The place of the server that is asked first. */
    private final int preferred;

    private final Outages outages;

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
    public ServicePool(ServiceSettings settings, ServiceSettings.Service service, String user, LongSupplier nanoTime) {
        this.settings = settings;
        try {
            http = settings.open(service, user);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        servers = IntStream.range(0, service.servers().size())
                .mapToObj(place -> new ServiceServer(place, settings, service, http, nanoTime))
                .toList();
        preferred = ThreadLocalRandom.current().nextInt(servers.size());
        outages = new Outages(
                () -> servers.stream().noneMatch(each -> each.pause().isInUse()), nanoTime);
    }

    public static IdUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IdUnavailableException("Interrupted while asking the servers of ids", e);
    }

    public List<ServiceServer> servers() {
        return servers;
    }

    /** Those that are asked first come first. */
    public List<ServiceServer> inOrder() {
        return IntStream.range(0, servers.size())
                .mapToObj(i -> servers.get((preferred + i) % servers.size()))
                .toList();
    }

    /** The server at an address, as another server wrote it. Empty if the settings do not name it. */
    public Optional<ServiceServer> find(String address) {
        return servers.stream().filter(each -> each.isAt(address)).findFirst();
    }

    /** The servers in messages. */
    public String label() {
        return servers.stream().map(ServiceServer::label).collect(Collectors.joining(", "));
    }

    Outages outages() {
        return outages;
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
     * @param trial asks one that was left out, in the background; costs little
     * @return fails with a {@link DistributedIdException}: that of the {@link Subject#isFinal} failure, or one with the
     *     messages of all failures
     */
    public <T, B> CompletableFuture<Ended<T>> ask(
            Subject subject,
            Function<ServiceServer, CompletableFuture<T>> question,
            Function<ServiceServer, CompletableFuture<B>> trial) {
        Race<T> race = new Race<>(this, subject, question);
        race.leftOut()
                .forEach(server -> subject.pause(server)
                        .filter(pause -> !server.pause().isClosing() && pause.beginTrial(true))
                        .ifPresent(pause -> {
                            CompletableFuture<?> unused = send(subject, server, true, trial, pause, () -> {});
                        }));
        return race.begin();
    }

    /**
     * Waits for what {@link #ask} gives. If this thread is interrupted, no further server is asked.
     *
     * @throws DistributedIdException as the future fails, with the stack of this caller
     */
    public static <T> T await(CompletableFuture<T> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (InterruptedException e) {
            asked.cancel(false);
            throw e;
        } catch (ExecutionException e) {
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
     * @param late run if the server may hang
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
        if (servers.size() > 1) {
            watch(ended, server, late);
        }
        return ended;
    }

    private void note(
            Subject subject,
            ServiceServer server,
            boolean isTaking,
            @Nullable Exception failure,
            @Nullable ServerPause trial) {
        if (!ServiceException.isOf(ServiceException.Kind.UNREACHABLE, failure)) {
            outages.answered();
        }
        if (failure == null && !isTaking) {
            server.pause().succeeded();
        } else if (!server.pause().isClosing()) {
            subject.ended(server, failure, trial);
        }
    }

    private void watch(CompletableFuture<?> ended, ServiceServer server, Runnable late) {
        if (ended.isDone()) {
            return;
        }
        Future<?> timer = http.after(SLOW, () -> {
            if (!ended.isDone()) {
                server.addSlow(1);
                CompletableFuture<?> unused = ended.whenComplete((end, failure) -> server.addSlow(-1));
                late.run();
            }
        });
        CompletableFuture<?> unused = ended.whenComplete((end, failure) -> timer.cancel(false));
    }

    /**
     * Asks all servers at once, and takes nothing. Those that are left out are asked only if all answers are wanted, or
     * if there is no other.
     *
     * @param waitsForAll if false, a good answer is enough: others are then waited for no longer than 300 ms
     * @return what the servers answered by then
     */
    public <T> List<Ended<T>> askAll(
            Subject subject, boolean waitsForAll, Function<ServiceServer, CompletableFuture<T>> question) {
        List<ServiceServer> inUse =
                servers.stream().filter(each -> subject.pause(each).isEmpty()).toList();
        List<ServiceServer> which = waitsForAll || inUse.isEmpty() ? servers : inUse;
        BlockingQueue<Ended<T>> results = new LinkedBlockingQueue<>();
        for (ServiceServer each : which) {
            CompletableFuture<?> unused =
                    send(subject, each, false, question, null, () -> {}).thenAccept(results::add);
        }
        List<Ended<T>> ended = new ArrayList<>();
        boolean isEnough = false;
        try {
            while (ended.size() < which.size()) {
                Ended<T> result = isEnough ? results.poll(SLOW.toNanos(), TimeUnit.NANOSECONDS) : results.take();
                if (result == null) {
                    break;
                }
                ended.add(result);
                isEnough |= result.failure == null && !waitsForAll;
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return ended;
    }

    /** Runs an action after a time, on a thread that must not wait. Does nothing after {@link #close}. */
    public void after(Duration time, Runnable action) {
        Future<?> unused = http.after(time, action);
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
