package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.process.LibraryThread;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
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
 *   <li>Compare-and-set reads the node, and sets it with the version that was read.
 *   <li>Records are the nodes {@code /distributedid/workers_record/photos}, written the same way.
 *   <li>Curator retries nothing: it would take the refusal of its second attempt for the answer to the first.
 * </ul>
 */
final class ZooKeeperWorkerStore implements WorkerStore {

    private static final byte[] NOTHING = new byte[0];

    private static final String RECORDS = "_record";

    @FunctionalInterface
    private interface Call<T> {

        @SuppressWarnings("java:S112")
        T run() throws Exception;
    }

    private final CuratorFrameworkFactory.Builder builder;

    private volatile CuratorFramework client;

    private final String path;

    private final String label;

    private boolean started;

    /**
     * Connects at the first call.
     *
     * @param servers as in ZooKeeper's connect string
     * @param path the parent of the nodes; created if missing
     * @param credentials {@code user:password}, restricts the created nodes to this user; empty for open nodes
     */
    ZooKeeperWorkerStore(String servers, String path, Optional<String> credentials, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        builder = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .connectionTimeoutMs(millis)
                .sessionTimeoutMs(3 * millis)
                .retryPolicy(new RetryNTimes(0, 0));
        credentials.ifPresent(text -> builder.authorization("digest", text.getBytes(StandardCharsets.UTF_8))
                .aclProvider(new OwnerOnly()));
        client = builder.build();
        this.path = path;
        this.label = path + " on " + servers;
    }

    private static final class OwnerOnly implements ACLProvider {

        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }

        @Override
        public List<ACL> getAclForPath(String each) {
            return getDefaultAcl();
        }
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        return call(() -> {
            long storeTime = touch();
            List<WorkerRow> rows = new ArrayList<>();
            if (first == last) {
                add(rows, first);
            } else {
                for (long worker : numbers().subSet(first, true, last, true)) {
                    add(rows, worker);
                }
            }
            return new StoreSnapshot(
                    rows, storeTime, data(recordNode(STORE_RECORD)).orElse(null));
        });
    }

    private void add(List<WorkerRow> rows, long worker) throws Exception {
        try {
            rows.add(decode(worker, client.getData().forPath(node(worker))));
        } catch (KeeperException.NoNodeException e) {
            // No process has leased this number yet.
        }
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        return call(() -> {
            touch();
            NavigableSet<Long> numbers = numbers();
            return numbers.isEmpty() ? -1 : numbers.last();
        });
    }

    private NavigableSet<Long> numbers() throws Exception {
        NavigableSet<Long> numbers = new TreeSet<>();
        for (String child : client.getChildren().forPath(path)) {
            numbers.add(Long.valueOf(child));
        }
        return numbers;
    }

    /** Returns the leader's time. */
    private long touch() throws Exception {
        try {
            return client.setData().forPath(path, NOTHING).getMtime();
        } catch (KeeperException.NoNodeException e) {
            create(path, NOTHING);
            return client.setData().forPath(path, NOTHING).getMtime();
        }
    }

    @Override
    public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException {
        String node = node(next.worker());
        byte[] data = encode(next);
        return call(() -> expected == null
                ? create(node, data)
                : set(node, found -> decode(next.worker(), found).equals(expected), data));
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return call(() -> {
            touch();
            return data(recordNode(name));
        });
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        return call(() -> {
            touch();
            Map<String, String> records = new TreeMap<>();
            for (String name : recordNames()) {
                records.put(name, data(recordNode(name)).orElseThrow());
            }
            return records;
        });
    }

    private List<String> recordNames() throws Exception {
        try {
            return client.getChildren().forPath(path + RECORDS);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private Optional<String> data(String node) throws Exception {
        try {
            return Optional.of(new String(client.getData().forPath(node), StandardCharsets.UTF_8));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException {
        byte[] data = next.getBytes(StandardCharsets.UTF_8);
        return call(() -> expected == null
                ? create(recordNode(name), data)
                : set(recordNode(name), found -> expected.equals(new String(found, StandardCharsets.UTF_8)), data));
    }

    private String recordNode(String name) {
        return path + RECORDS + "/" + name;
    }

    private boolean create(String node, byte[] data) throws Exception {
        try {
            client.create().creatingParentsIfNeeded().forPath(node, data);
            return true;
        } catch (KeeperException.NodeExistsException e) {
            return false;
        }
    }

    private boolean set(String node, Predicate<byte[]> isExpected, byte[] data) throws Exception {
        try {
            Stat stat = new Stat();
            byte[] found = client.getData().storingStatIn(stat).forPath(node);
            if (!isExpected.test(found)) {
                return false;
            }
            client.setData().withVersion(stat.getVersion()).forPath(node, data);
            return true;
        } catch (KeeperException.NoNodeException | KeeperException.BadVersionException e) {
            return false;
        }
    }

    private String node(long worker) {
        return path + "/" + worker;
    }

    private static byte[] encode(WorkerRow row) {
        return (row.reservedUntil() + " " + row.token() + " " + row.owner()).getBytes(StandardCharsets.UTF_8);
    }

    private static WorkerRow decode(long worker, byte[] data) {
        String[] parts = new String(data, StandardCharsets.UTF_8).split(" ", 3);
        return new WorkerRow(worker, parts[2], Long.parseLong(parts[0]), parts[1]);
    }

    private <T> T call(Call<T> work) throws WorkerStoreException, InterruptedException {
        try {
            if (!started) {
                start();
            }
            return work.run();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new WorkerStoreException(label + " said: " + e.getMessage(), e);
        }
    }

    private void start() throws Exception {
        CuratorFramework begun = client;
        try {
            // So that the client's threads inherit nothing from the caller's.
            started = LibraryThread.call(() -> {
                begun.start();
                return true;
            });
        } finally {
            if (!started) {
                // A client can't be started twice.
                begun.close();
                client = builder.build();
            }
        }
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
