package io.distributedid.backend.snowflake.lease;

import io.distributedid.internal.process.LibraryThread;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * A client of ZooKeeper that connects at the first call. Curator retries nothing: it would take the refusal of its
 * second attempt for the answer to the first. For one thread at a time, except {@link #close}.
 */
final class ZooKeeperClient implements AutoCloseable {

    @FunctionalInterface
    interface Call<T> {

        @SuppressWarnings("java:S112")
        T run(CuratorFramework curator) throws Exception;
    }

    private final CuratorFrameworkFactory.Builder builder;

    private volatile CuratorFramework client;

    private final String label;

    private boolean started;

    /**
     * @param servers as in ZooKeeper's connect string
     * @param credentials {@code user:password}, restricts the created nodes to this user; empty for open nodes
     * @param label names the store in messages
     */
    ZooKeeperClient(String servers, Optional<String> credentials, Duration timeout, String label) {
        int millis = Math.toIntExact(timeout.toMillis());
        builder = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .connectionTimeoutMs(millis)
                .sessionTimeoutMs(3 * millis)
                .retryPolicy(new RetryNTimes(0, 0));
        credentials.ifPresent(text -> builder.authorization("digest", text.getBytes(StandardCharsets.UTF_8))
                .aclProvider(new OwnerOnly()));
        client = builder.build();
        this.label = label;
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

    <T> T call(Call<T> work) throws WorkerStoreException, InterruptedException {
        try {
            if (!started) {
                start();
            }
            return work.run(client);
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
    public void close() {
        client.close();
    }
}
