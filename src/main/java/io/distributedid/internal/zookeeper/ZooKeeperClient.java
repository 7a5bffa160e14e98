package io.distributedid.internal.zookeeper;

import io.distributedid.internal.process.LibraryThread;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * A client of ZooKeeper that connects at the first call. Curator retries nothing: it would take the refusal of its
 * second attempt for the answer to the first. For one thread at a time, except {@link #close}.
 *
 * @param <X> what a failed call throws
 */
public final class ZooKeeperClient<X extends Exception> implements AutoCloseable {

    /** What a call does. */
    @FunctionalInterface
    public interface Call<T> {

        @SuppressWarnings("java:S112")
        T run(CuratorFramework curator) throws Exception;
    }

    private final CuratorFrameworkFactory.Builder builder;

    private volatile CuratorFramework client;

    private final String label;

    private final BiFunction<String, Throwable, X> failure;

    private boolean started;

    /**
     * @param timeout for connecting; a session lasts three times as long without the server
     * @param failure makes the exception from its message and its cause
     */
    public ZooKeeperClient(ZooKeeperPlace place, Duration timeout, BiFunction<String, Throwable, X> failure) {
        int millis = Math.toIntExact(timeout.toMillis());
        builder = CuratorFrameworkFactory.builder()
                .connectString(place.servers())
                .connectionTimeoutMs(millis)
                .sessionTimeoutMs(3 * millis)
                .retryPolicy(new RetryNTimes(0, 0));
        place.credentials()
                .ifPresent(text -> builder.authorization("digest", text.getBytes(StandardCharsets.UTF_8))
                        .aclProvider(new OwnerOnly()));
        client = builder.build();
        label = place.label();
        this.failure = failure;
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

    /**
     * Runs work with the client.
     *
     * @throws X for everything that the work throws, except an interrupt
     */
    public <T> T call(Call<T> work) throws X, InterruptedException {
        try {
            if (!started) {
                start();
            }
            return work.run(client);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw failure.apply(label + " said: " + e.getMessage(), e);
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
