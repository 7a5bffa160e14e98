package io.distributedid.internal.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes many nodes in few trips. Requests are sent one after another, without a wait for the answer to the
 * first. Each wait for answers has a time limit; a request whose answer did not come in time may be done later. Nodes
 * are persistent. Thread-safe.
 *
 * <p>Needs ZooKeeper 3.6: older servers can't read many nodes by one request.
 *
 * @param <X> what a failed call throws
 */
public final class ZooKeeperNodes<X extends Exception> implements AutoCloseable {

    /** The most nodes of one request. 1 MiB is the most bytes of one, unless the servers' operators allow more. */
    private static final int MOST_NODES = 250;

    private static final Duration LAST_CALL = Duration.ofSeconds(1);

    private static final byte[] NOTHING = new byte[0];

    /** Of a node that anybody may replace. As an expected version it stands for any. */
    private static final int ANY_VERSION = -1;

    /** A node's content with its version. */
    public record Node(String content, int version) {}

    /**
     * A node to create, or to replace if it has the version that was read.
     *
     * @param version null to create it
     */
    public record Change(
            String node, String content, @Nullable Integer version) {}

    private final ZooKeeperClient<X> client;

    private final Duration timeout;

    private final Set<CompletableFuture<?>> awaited = ConcurrentHashMap.newKeySet();

    private volatile boolean ending;

    private volatile boolean closed;

    /**
     * Connects at the first call.
     *
     * @param timeout for connecting and for each answer
     * @param failure makes the exception from its message and its cause
     */
    public ZooKeeperNodes(ZooKeeperPlace place, Duration timeout, BiFunction<String, Throwable, X> failure) {
        client = new ZooKeeperClient<>(place, timeout, failure);
        this.timeout = timeout;
    }

    /**
     * Reads the names of a node's children, as they are at the call or later. Empty if there is no such node. What is
     * read next is not older either. A {@code sync} takes care of that, unless the leader was deposed and does not know
     * it yet. A write takes care of it always.
     *
     * @param isWritten whether to write to the node first, which empties it
     */
    public List<String> children(String node, boolean isWritten) throws X, InterruptedException {
        return client.call(curator -> {
            ZooKeeper server = server(curator);
            CompletableFuture<Boolean> fence = new CompletableFuture<>();
            if (isWritten) {
                server.setData(
                        node,
                        NOTHING,
                        ANY_VERSION,
                        (code, path, context, stat) -> answer(fence, code, path, true, false),
                        null);
            } else {
                server.sync(node, (code, path, context) -> answer(fence, code, path, true, false), null);
            }
            CompletableFuture<List<String>> names = new CompletableFuture<>();
            server.getChildren(
                    node,
                    false,
                    (code, path, context, children) -> answer(names, code, path, children, List.of()),
                    null);
            await(List.of(fence, names));
            return names.join();
        });
    }

    /** Reads nodes; those that are missing have no entry. */
    public Map<String, Node> read(List<String> nodes) throws X, InterruptedException {
        return client.call(curator -> read(server(curator), nodes));
    }

    private Map<String, Node> read(ZooKeeper server, List<String> nodes) throws Exception {
        List<List<Op>> requests = parts(nodes).stream()
                .map(part -> part.stream().map(Op::getData).toList())
                .toList();
        Map<String, Node> found = new HashMap<>();
        int at = 0;
        for (List<OpResult> results : send(server, requests)) {
            for (OpResult result : results) {
                String node = nodes.get(at++);
                if (result instanceof OpResult.GetDataResult data) {
                    String content = new String(data.getData(), StandardCharsets.UTF_8);
                    found.put(node, new Node(content, data.getStat().getVersion()));
                } else if (codeOf(result) != Code.NONODE) {
                    throw KeeperException.create(codeOf(result), node);
                }
            }
        }
        return found;
    }

    private static <T> List<List<T>> parts(List<T> all) {
        List<List<T>> parts = new ArrayList<>();
        for (int i = 0; i < all.size(); i += MOST_NODES) {
            parts.add(all.subList(i, Math.min(i + MOST_NODES, all.size())));
        }
        return parts;
    }

    /**
     * Reads nodes, and changes nodes in the same session, each if it is as expected. {@value #MOST_NODES} share a
     * transaction: if one is not as expected, none of them is changed. If it throws, each node may or may not have been
     * changed, or be changed later.
     *
     * @param changes gets what was read; throws nothing
     * @return for each change, in their order, whether it was done
     */
    public List<Boolean> change(List<String> nodes, Function<Map<String, Node>, List<Change>> changes)
            throws X, InterruptedException {
        return client.call(curator -> {
            ZooKeeper server = server(curator);
            List<List<Op>> requests = parts(changes.apply(read(server, nodes))).stream()
                    .map(part -> part.stream().map(this::operation).toList())
                    .toList();
            List<Boolean> done = new ArrayList<>();
            for (List<OpResult> results : send(server, requests)) {
                boolean isDone = isDone(results);
                results.forEach(each -> done.add(isDone));
            }
            return done;
        });
    }

    /** Creates nodes in one transaction, and before that the node above them. Returns false if one is there already. */
    public boolean create(String above, List<Change> nodes) throws X, InterruptedException {
        return client.call(curator -> {
            if (curator.checkExists().forPath(above) == null) {
                createAbove(curator, above);
            }
            List<Op> request = nodes.stream().map(this::operation).toList();
            return isDone(send(server(curator), List.of(request)).get(0));
        });
    }

    private static void createAbove(CuratorFramework curator, String node) throws Exception {
        try {
            String unused = curator.create().creatingParentsIfNeeded().forPath(node, NOTHING);
        } catch (KeeperException.NodeExistsException e) {
            // Another process was faster.
        }
    }

    private Op operation(Change change) {
        byte[] content = change.content.getBytes(StandardCharsets.UTF_8);
        Integer version = change.version;
        if (version == null) {
            return Op.create(change.node, content, client.rights(), CreateMode.PERSISTENT);
        }
        if (version == ANY_VERSION) {
            // After 2^32 - 1 writes.
            throw new IllegalStateException("the version of a node is -1, which stands for any version: node="
                    + change.node + ". Write its content once more, as it is");
        }
        return Op.setData(change.node, content, version);
    }

    /** Throws if it was refused for another reason than that a node is not as expected. */
    private static boolean isDone(List<OpResult> results) throws KeeperException {
        for (OpResult each : results) {
            switch (codeOf(each)) {
                case OK, RUNTIMEINCONSISTENCY, BADVERSION, NONODE, NODEEXISTS -> {
                    // The first two are of operations that were refused because of another one.
                }
                default -> throw KeeperException.create(codeOf(each));
            }
        }
        return results.stream().noneMatch(OpResult.ErrorResult.class::isInstance);
    }

    private static Code codeOf(OpResult result) {
        return result instanceof OpResult.ErrorResult error ? Code.get(error.getErr()) : Code.OK;
    }

    private static ZooKeeper server(CuratorFramework curator) throws Exception {
        return curator.getZookeeperClient().getZooKeeper();
    }

    private List<List<OpResult>> send(ZooKeeper server, List<List<Op>> requests) throws Exception {
        List<CompletableFuture<List<OpResult>>> answers = new ArrayList<>();
        for (List<Op> request : requests) {
            CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
            answers.add(answer);
            server.multi(
                    request,
                    (code, path, context, results) -> {
                        // With results, the code is that of the first operation that failed.
                        int failure = results == null ? code : Code.OK.intValue();
                        answer(answer, failure, path, results, List.of());
                    },
                    null);
        }
        await(answers);
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static <T> void answer(CompletableFuture<T> answer, int code, @Nullable String path, T value, T missing) {
        switch (Code.get(code)) {
            case OK -> answer.complete(value);
            case NONODE -> answer.complete(missing);
            default -> answer.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Futures are told apart by identity.
    private void await(List<? extends CompletableFuture<?>> answers) throws Exception {
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        awaited.add(all);
        try {
            if (closed) {
                throw new IllegalStateException("Closed");
            }
            Duration limit = ending && timeout.compareTo(LAST_CALL) > 0 ? LAST_CALL : timeout;
            try {
                Void unused = all.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                throw new TimeoutException("no answer within " + limit.toMillis() + " ms");
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            awaited.remove(all);
        }
    }

    /** Announces the end: limits later calls to one second. Does not wait. */
    public void stop() {
        ending = true;
    }

    /** Ends calls with an error. Does not wait. */
    public void cut() {
        stop();
        closed = true;
        awaited.forEach(each -> each.completeExceptionally(new IllegalStateException("Closed")));
    }

    /** Waits for the server for a second at most. */
    @Override
    public void close() {
        cut();
        client.close();
    }
}
