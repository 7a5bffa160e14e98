package io.distributedid.internal.ledger;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in ZooKeeper 3.6 or later. The row {@code @worker/7} is the node {@code @worker%2F7} below the node of the
 * store; its content is {@link Row#line}. Nodes are persistent, so that a session may end at any time.
 *
 * <p>Requests are sent without a wait for the answer to the one before, and a session does them in order. So any number
 * of rows takes one trip to read, and two to write:
 *
 * <ol>
 *   <li>The node of the store is written, and its rows are read. The leader sets the time of that write, which is the
 *       store's. The rows are as they were then, or later: whichever server answers, even if the leader was deposed and
 *       does not know it yet. So every read is synchronised.
 *   <li>A row that has the expected version is set if its node still has the version that was just read. A node's
 *       version alone is no fence: after a backup was restored, others may have written the node as often as before.
 *       Each request is done or refused by itself.
 * </ol>
 *
 * <p>For one thread at a time, apart from {@link #abort}.
 */
public final class ZooKeeperLedger implements Ledger, Link<Ledger> {

    private static final byte[] NOTHING = new byte[0];

    private static final int ANY_VERSION = -1;

    /** Servers keep a session for so many timeouts after its client was last heard of. */
    private static final int SESSION_TIMEOUTS = 3;

    /**
     * Opens sessions.
     *
     * @param creates whether the node of the store is created if it is missing; then it has the row {@link #STORE}, in
     *     the state NEW
     */
    public record Source(ZooKeeperPlace place, boolean creates) implements Link.Source<Ledger> {

        /** Loads the library, so that a missing one is an error at once, and not a failure of the connection. */
        public Source {
            Class<?> unused = ZooKeeper.class;
        }

        @Override
        public String label() {
            return place.label();
        }

        @Override
        public ZooKeeperLedger connect(Duration atMost) throws SQLException {
            try {
                return new ZooKeeperLedger(place, creates, atMost);
            } catch (IOException e) {
                throw new SQLException("No connection: " + label() + ": " + e, e);
            }
        }
    }

    private static final class Session extends ZooKeeper {

        Session(String servers, int timeoutMillis, Watcher watcher) throws IOException {
            super(servers, timeoutMillis, watcher);
        }

        /** Sends nothing, and so waits for no answer. The session holds nothing, and times out on the server. */
        @Override
        public void close() {
            cnxn.disconnect();
        }
    }

    private final ZooKeeperPlace place;

    private final boolean creates;

    private final CompletableFuture<Boolean> connected = new CompletableFuture<>();

    private final Session session;

    private volatile Duration limit;

    private volatile boolean isAborted;

    private ZooKeeperLedger(ZooKeeperPlace place, boolean creates, Duration limit) throws IOException {
        this.place = place;
        this.creates = creates;
        this.limit = limit;
        session = new Session(place.servers(), Math.toIntExact(SESSION_TIMEOUTS * limit.toMillis()), event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.complete(true);
                endIfAborted();
            }
        });
        place.credentials().ifPresent(user -> session.addAuthInfo("digest", user.getBytes(StandardCharsets.UTF_8)));
    }

    /** A request that was sent before would fail with the first of several servers. */
    @Override
    public ZooKeeperLedger open() throws SQLException {
        await(List.of(connected));
        if (creates) {
            boolean unused = create();
        }
        return this;
    }

    /**
     * Creates the node of the store with its first row, and the nodes above it, unless they are there.
     *
     * @return whether this call has created the node of the store
     */
    public boolean create() throws SQLException {
        String path = place.path();
        Map<String, List<Op>> nodes = new LinkedHashMap<>();
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            nodes.put(path.substring(0, end), List.of(write(path.substring(0, end), NOTHING, null)));
        }
        Row first = Change.created().next();
        nodes.put(path, List.of(write(path, NOTHING, null), write(node(first.name()), content(first), null)));
        return send(nodes).containsKey(path);
    }

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) throws SQLException {
        return read(names, new HashMap<>());
    }

    /** Also puts the version of each node that is there. */
    private Page read(Collection<String> names, Map<String, Integer> versions) throws SQLException {
        Map<String, List<Op>> requests = new LinkedHashMap<>();
        requests.put(place.path(), List.of(write(place.path(), NOTHING, ANY_VERSION)));
        names.forEach(name -> requests.put(name, List.of(Op.getData(node(name)))));
        Map<String, OpResult> done = send(requests);
        if (!(done.remove(place.path()) instanceof OpResult.SetDataResult store)) {
            throw new IdConfigurationException("The ledger is missing: node=" + place.label()
                    + ". Restore it if it was there before; if not, create it");
        }
        Map<String, Row> rows = new HashMap<>();
        done.forEach((name, result) -> {
            OpResult.GetDataResult node = (OpResult.GetDataResult) result;
            rows.put(name, Row.ofLine(name, new String(node.getData(), StandardCharsets.UTF_8)));
            versions.put(name, node.getStat().getVersion());
        });
        return new Page(rows, store.getStat().getMtime());
    }

    @Override
    public Set<String> write(List<Change> changes) throws SQLException {
        Map<String, Change> byName = Change.byName(changes);
        Map<String, Integer> versions = new HashMap<>();
        Map<String, Row> rows = read(byName.keySet(), versions).rows();
        Map<String, List<Op>> requests = new LinkedHashMap<>();
        byName.forEach((name, change) -> {
            Row next = MemoryLedger.after(change, rows.get(name));
            // What was done before is written once more, as it is.
            if (next != null && change.isDone(next)) {
                requests.put(name, List.of(write(node(name), content(next), versions.get(name))));
            }
        });
        return send(requests).keySet();
    }

    private String node(String name) {
        return place.path() + "/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("%40", "@");
    }

    private static byte[] content(Row row) {
        return row.line().getBytes(StandardCharsets.UTF_8);
    }

    /** Without a version it creates the node. */
    private Op write(String node, byte[] content, @Nullable Integer version) {
        if (version != null) {
            return Op.setData(node, content, version);
        }
        boolean isOpen = place.credentials().isEmpty();
        return Op.create(
                node,
                content,
                isOpen ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL,
                CreateMode.PERSISTENT);
    }

    /**
     * Each request is done as a whole, or not at all. Returns the results of those that were done. The others found a
     * node that is not as expected.
     */
    private Map<String, OpResult> send(Map<String, List<Op>> requests) throws SQLException {
        Map<String, OpResult> done = new ConcurrentHashMap<>();
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        requests.forEach((name, request) -> {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            answers.add(answer);
            session.multi(
                    request,
                    (number, path, sent, results) -> {
                        Code code = Code.get(number);
                        switch (code) {
                            case OK -> done.put(name, results.get(0));
                            case NONODE, NODEEXISTS, BADVERSION -> {}
                            default ->
                                answer.completeExceptionally(KeeperException.create(
                                        code, request.get(0).getPath()));
                        }
                        answer.complete(true);
                    },
                    null);
        });
        await(answers);
        return done;
    }

    private void await(List<CompletableFuture<Boolean>> answers) throws SQLException {
        try {
            Void unused = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new SQLTimeoutException("No answer within " + limit.toMillis() + " ms: " + place.label(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for an answer: " + place.label(), e);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new SQLException(place.label() + " said: " + cause.getMessage(), cause);
        }
    }

    @Override
    public boolean isValid(Duration atMost) {
        return session.getState().isConnected();
    }

    @Override
    public void limit(Duration atMost) {
        limit = atMost;
    }

    @Override
    public void abort() {
        isAborted = true;
        session.close();
    }

    /** A session that is opened while it is closed would go on, and {@link #abort} would wait for its end. */
    private void endIfAborted() {
        if (isAborted) {
            session.close();
        }
    }
}
