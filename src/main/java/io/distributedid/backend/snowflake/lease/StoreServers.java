package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.http.HttpCalls;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.OneTimeBody;
import io.distributedid.internal.http.ServiceSettings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers of an issuing service in front of one store of worker numbers. For one thread at a time, except
 * {@link #stop}, {@link #cut} and {@link #close}. Each call has one time limit for all of its requests.
 *
 * <p><b>Reading.</b> The first call asks all servers, and takes the answer of the first in the order of the setting.
 * Later ones ask the server that answered last, and others only if that fails or is slow, see {@link StoreQuestion}.
 *
 * <p><b>Changing.</b> A request is sent to one server and never repeated, because it may be done although its answer is
 * lost. Only one of which nothing was sent goes to the next server.
 *
 * <p><b>One store.</b> Each server's newest answer tells the identity of its store. No answer counts while two servers
 * differ, see {@link OneStore}. Before the first record of a store is written, all servers must answer, and none may
 * have one. Afterwards all must answer once more, and have it, before the writer changes anything else: otherwise
 * another client could begin with another new store at the same time. From then on all that answer must have it.
 */
final class StoreServers implements AutoCloseable {

    private static final Logger LOG = System.getLogger(StoreServers.class.getName());

    /** The limit of each call after {@link #stop}. */
    private static final Duration LAST_CALL = Duration.ofSeconds(1);

    /** After this time a server may hang, or after a third of the timeout. */
    private static final Duration SLOW = Duration.ofMillis(300);

    private static final String STORE_RECORD = "/v1/workers/records/" + WorkerStore.STORE_RECORD;

    private final ServiceSettings settings;

    private final ServiceSettings.Service service;

    private final Duration timeout;

    private final Duration slow;

    private final List<StoreServer> servers;

    private final OneStore oneStore;

    private volatile @Nullable HttpCalls http;

    private volatile boolean ending;

    private volatile boolean closed;

    /** The one that answered last. */
    private StoreServer preferred;

    /** Whether all servers were asked once. */
    private boolean compared;

    /** Whether this client has written the first record, and has not seen yet that all servers have it. */
    private boolean isUnconfirmed;

    /** @param timeout of each call */
    StoreServers(ServiceSettings settings, ServiceSettings.Service service, Duration timeout) {
        this.settings = settings;
        this.service = service;
        this.timeout = timeout;
        Duration third = timeout.dividedBy(3);
        slow = third.compareTo(SLOW) < 0 ? third : SLOW;
        servers = service.servers().stream()
                .map(address -> new StoreServer(address, service.token(), settings))
                .toList();
        preferred = servers.get(0);
        oneStore = new OneStore(servers, settings.servers());
    }

    String label() {
        return servers.stream().map(StoreServer::label).collect(Collectors.joining(", "));
    }

    /**
     * Reads the store, and its record.
     *
     * @param value of an answer; throws {@link IllegalArgumentException} if that breaks the protocol
     */
    <T> ServedWorkerStore.Answer<T> read(String path, Function<JsonObject, T> value)
            throws WorkerStoreException, InterruptedException {
        long deadline = deadline();
        HttpCalls calls = calls();
        for (int i = 0; i < 2; i++) {
            StoreQuestion.Ended<ServedWorkerStore.Answer<T>> ended =
                    ask(server -> server.get(calls, path, left(deadline))
                            .thenApply(answer -> new ServedWorkerStore.Answer<>(
                                    value.apply(answer), answer.find("record").orElse(null))));
            prefer(ended.server());
            requireOneStore(deadline);
            if (StoreRecord.identity(ended.good().record())
                    .equals(ended.server().identity())) {
                return ended.good();
            }
        }
        throw new WorkerStoreException(label() + " became another store while it was read. Read it again");
    }

    private <T> StoreQuestion.Ended<ServedWorkerStore.Answer<T>> ask(
            Function<StoreServer, CompletableFuture<ServedWorkerStore.Answer<T>>> request)
            throws WorkerStoreException, InterruptedException {
        StoreQuestion<ServedWorkerStore.Answer<T>> question = new StoreQuestion<>(inOrder(), request, slow);
        List<StoreQuestion.Ended<ServedWorkerStore.Answer<T>>> good =
                compared ? List.of(question.first()) : question.good();
        good.forEach(each -> each.server().says(StoreRecord.identity(each.good().record())));
        compared = true;
        return good.stream()
                .min(Comparator.comparingInt(each -> servers.indexOf(each.server())))
                .orElseThrow();
    }

    /** The preferred one first, then those that follow it in the setting. */
    private Deque<StoreServer> inOrder() {
        Deque<StoreServer> order = new ArrayDeque<>(servers);
        while (!order.getFirst().equals(preferred)) {
            order.addLast(order.removeFirst());
        }
        return order;
    }

    private void prefer(StoreServer server) {
        if (!server.equals(preferred)) {
            LOG.log(
                    Level.WARNING,
                    "A server of worker numbers does not answer, and another one is asked from now on: server="
                            + preferred.label() + ", now " + server.label());
            preferred = server;
        }
    }

    private void requireOneStore(long deadline) throws WorkerStoreException, InterruptedException {
        oneStore.require(identities(deadline));
    }

    private List<StoreQuestion.Ended<String>> compare(long deadline) throws InterruptedException {
        return oneStore.compare(identities(deadline));
    }

    private OneStore.Question identities(long deadline) throws InterruptedException {
        HttpCalls calls = calls();
        return () -> new StoreQuestion<>(
                        servers,
                        server -> server.get(calls, STORE_RECORD, left(deadline))
                                .thenApply(answer -> StoreRecord.identity(
                                        answer.find("record").orElse(null))),
                        slow)
                .all();
    }

    /** Asks all servers. Returns the reasons of those that do not answer. */
    Map<String, String> failures() throws WorkerStoreException, InterruptedException {
        long deadline = deadline();
        Map<String, String> reasons = new TreeMap<>();
        compare(deadline).forEach(each -> reasons.put(each.server().label(), StoreQuestion.message(each)));
        requireOneStore(deadline);
        return reasons;
    }

    /**
     * Changes the store.
     *
     * @param json the body
     * @throws WorkerStoreException if there is no answer; the change may have been made, or be made later
     */
    <T> T change(String path, String json, Function<JsonObject, T> value)
            throws WorkerStoreException, InterruptedException {
        long deadline = deadline();
        if (isUnconfirmed) {
            confirm(deadline);
        }
        return change(path, json, value, deadline);
    }

    private <T> T change(String path, String json, Function<JsonObject, T> value, long deadline)
            throws WorkerStoreException, InterruptedException {
        HttpCalls calls = calls();
        Deque<StoreServer> next = inOrder();
        List<StoreQuestion.Ended<T>> failed = new ArrayList<>();
        while (true) {
            StoreServer server = next.remove();
            OneTimeBody body = new OneTimeBody(json);
            try {
                T answer = server.post(calls, path, body, left(deadline))
                        .thenApply(value)
                        .get();
                prefer(server);
                return answer;
            } catch (ExecutionException e) {
                failed.add(new StoreQuestion.Ended<>(
                        server, null, server.reason(Objects.requireNonNullElse(e.getCause(), e))));
                boolean isUnsent = body.withdraw();
                if (next.isEmpty() || !isUnsent) {
                    throw StoreQuestion.failure(failed);
                }
            } catch (InterruptedException e) {
                boolean unused = body.withdraw();
                throw e;
            }
        }
    }

    /** Writes the first record of the store, as {@link #change}. */
    <T> T create(String path, String json, Function<JsonObject, T> value)
            throws WorkerStoreException, InterruptedException {
        long deadline = deadline();
        if (servers.size() == 1) {
            return change(path, json, value, deadline);
        }
        requireAllOfOneStore(deadline);
        isUnconfirmed = true;
        T done = change(path, json, value, deadline);
        confirm(deadline);
        return done;
    }

    private void confirm(long deadline) throws WorkerStoreException, InterruptedException {
        requireAllOfOneStore(deadline);
        isUnconfirmed = false;
    }

    private void requireAllOfOneStore(long deadline) throws WorkerStoreException, InterruptedException {
        List<StoreQuestion.Ended<String>> failed = compare(deadline);
        requireOneStore(deadline);
        if (!failed.isEmpty()) {
            throw new WorkerStoreException("Before a store of worker numbers is used for the first time, all servers"
                    + " must answer, so that they are known to have the same: "
                    + StoreQuestion.failure(failed).getMessage());
        }
    }

    private long deadline() {
        Duration limit = ending && timeout.compareTo(LAST_CALL) > 0 ? LAST_CALL : timeout;
        return System.nanoTime() + limit.toNanos();
    }

    /** At least a millisecond, after which a request ends. */
    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    private HttpCalls calls() throws InterruptedException {
        HttpCalls open = http;
        if (open == null) {
            open = settings.open(service, "workers", timeout);
            http = open;
            if (closed) {
                open.close();
            }
        }
        return open;
    }

    /** From now on calls wait only briefly. */
    void stop() {
        ending = true;
    }

    /** Ends calls with an error, now and later. Does not wait. */
    void cut() {
        closed = true;
        Optional.ofNullable(http).ifPresent(HttpCalls::cut);
    }

    @Override
    public void close() {
        closed = true;
        Optional.ofNullable(http).ifPresent(HttpCalls::close);
    }
}
