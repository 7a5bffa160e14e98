package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.zookeeper.ZooKeeperClient;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Worker numbers in ZooKeeper, through Apache Curator. The node {@code /distributedid/workers/7} holds the row of
 * number 7 as {@code reserved_until token owner}. Nodes are persistent and never deleted, so a session may end and
 * begin anew.
 *
 * <ul>
 *   <li>The store time is the modification time that the leader sets when the parent node is written. Every read is
 *       preceded by such a write, so it is not older than that.
 *   <li>Compare-and-set reads the node, and sets it with the version that was read. A version that was kept from an
 *       earlier write is not enough: after a backup was restored, another process may have written the same version.
 *   <li>A renewal reads the row and the record, which takes no write. Then one transaction checks the record's version
 *       and sets the row with its version. A node that a server behind the leader has read fails the transaction.
 *   <li>A transaction can't compare the time. So a renewal compares the time of the last write of this process plus the
 *       time that has passed since by the local nanosecond clock. That is not later than the leader's time, unless the
 *       leader's clock was set back. The answer has the leader's time for the next comparison.
 *   <li>Records are the nodes {@code /distributedid/workers_record/photos}, written the same way.
 * </ul>
 */
final class ZooKeeperWorkerStore implements WorkerStore {

    private static final byte[] NOTHING = new byte[0];

    private static final String RECORDS = "_record";

    /** A node's content with its version. */
    private record Node(String content, int version) {}

    /** The leader's time at {@code nanos} or before. */
    private record Seen(long millis, long nanos) {}

    private final ZooKeeperClient<WorkerStoreException> client;

    private final LongSupplier nanoTime;

    private final String path;

    private final String label;

    private @Nullable Seen seen;

    /**
     * Connects at the first call.
     *
     * @param place the parent of the nodes; created if missing
     */
    ZooKeeperWorkerStore(ZooKeeperPlace place, Duration timeout) {
        this(place, timeout, System::nanoTime);
    }

    ZooKeeperWorkerStore(ZooKeeperPlace place, Duration timeout, LongSupplier nanoTime) {
        path = place.path();
        this.nanoTime = nanoTime;
        label = place.label();
        client = new ZooKeeperClient<>(place, timeout, WorkerStoreException::new);
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        return client.call(curator -> {
            long storeTime = touch(curator);
            List<WorkerRow> rows = new ArrayList<>();
            if (first == last) {
                add(rows, curator, first);
            } else {
                for (long worker : numbers(curator).subSet(first, true, last, true)) {
                    add(rows, curator, worker);
                }
            }
            return new StoreSnapshot(
                    rows, storeTime, content(curator, recordNode(STORE_RECORD)).orElse(null));
        });
    }

    private void add(List<WorkerRow> rows, CuratorFramework curator, long worker) throws Exception {
        content(curator, node(worker)).ifPresent(content -> rows.add(decode(worker, content)));
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        return client.call(curator -> {
            touch(curator);
            NavigableSet<Long> numbers = numbers(curator);
            return numbers.isEmpty() ? -1 : numbers.last();
        });
    }

    private NavigableSet<Long> numbers(CuratorFramework curator) throws Exception {
        NavigableSet<Long> numbers = new TreeSet<>();
        for (String child : curator.getChildren().forPath(path)) {
            numbers.add(Long.valueOf(child));
        }
        return numbers;
    }

    private long touch(CuratorFramework curator) throws Exception {
        try {
            return storeTime(curator.setData().forPath(path, NOTHING));
        } catch (KeeperException.NoNodeException e) {
            create(curator, path, NOTHING);
            return storeTime(curator.setData().forPath(path, NOTHING));
        }
    }

    /** The leader's time of a write that was just answered. */
    private long storeTime(Stat written) {
        seen = new Seen(written.getMtime(), nanoTime.getAsLong());
        return written.getMtime();
    }

    @Override
    public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException {
        String node = node(next.worker());
        return client.call(curator -> expected == null
                ? create(curator, node, bytes(encode(next)))
                : set(curator, node, encode(expected), encode(next)));
    }

    @Override
    public OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException, InterruptedException {
        Seen last = seen;
        if (last == null
                || !condition.allows(last.millis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - last.nanos))) {
            return OptionalLong.empty();
        }
        String node = node(next.worker());
        String record = recordNode(STORE_RECORD);
        return client.call(curator -> {
            Node row = find(curator, node).orElse(null);
            Node known = find(curator, record).orElse(null);
            if (row == null
                    || known == null
                    || !row.content.equals(encode(expected))
                    || !known.content.equals(condition.record())) {
                return OptionalLong.empty();
            }
            CuratorOp unchanged =
                    curator.transactionOp().check().withVersion(known.version).forPath(record);
            CuratorOp renewal =
                    curator.transactionOp().setData().withVersion(row.version).forPath(node, bytes(encode(next)));
            try {
                Stat written = curator.transaction()
                        .forOperations(unchanged, renewal)
                        .get(1)
                        .getResultStat();
                return OptionalLong.of(storeTime(written));
            } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
                return OptionalLong.empty();
            }
        });
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return client.call(curator -> {
            touch(curator);
            return content(curator, recordNode(name));
        });
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        return client.call(curator -> {
            touch(curator);
            Map<String, String> records = new TreeMap<>();
            for (String name : recordNames(curator)) {
                records.put(name, content(curator, recordNode(name)).orElseThrow());
            }
            return records;
        });
    }

    private List<String> recordNames(CuratorFramework curator) throws Exception {
        try {
            return curator.getChildren().forPath(path + RECORDS);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private static Optional<String> content(CuratorFramework curator, String node) throws Exception {
        return find(curator, node).map(Node::content);
    }

    private static Optional<Node> find(CuratorFramework curator, String node) throws Exception {
        try {
            Stat stat = new Stat();
            byte[] data = curator.getData().storingStatIn(stat).forPath(node);
            return Optional.of(new Node(new String(data, StandardCharsets.UTF_8), stat.getVersion()));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException {
        String node = recordNode(name);
        return client.call(
                curator -> expected == null ? create(curator, node, bytes(next)) : set(curator, node, expected, next));
    }

    private String recordNode(String name) {
        return path + RECORDS + "/" + name;
    }

    private static boolean create(CuratorFramework curator, String node, byte[] data) throws Exception {
        try {
            curator.create().creatingParentsIfNeeded().forPath(node, data);
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        }
    }

    private static boolean set(CuratorFramework curator, String node, String expected, String next) throws Exception {
        Node found = find(curator, node).orElse(null);
        if (found == null || !found.content.equals(expected)) {
            return false;
        }
        try {
            curator.setData().withVersion(found.version).forPath(node, bytes(next));
            return true;
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            return false;
        }
    }

    private String node(long worker) {
        return path + "/" + worker;
    }

    private static byte[] bytes(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }

    private static String encode(WorkerRow row) {
        return row.reservedUntil() + " " + row.token() + " " + row.owner();
    }

    private static WorkerRow decode(long worker, String content) {
        String[] parts = content.split(" ", 3);
        return new WorkerRow(worker, parts[2], Long.parseLong(parts[0]), parts[1]);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public void close() {
        client.close();
    }
}
