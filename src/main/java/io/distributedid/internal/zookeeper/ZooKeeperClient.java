package io.distributedid.internal.zookeeper;

import io.distributedid.internal.process.LibraryThread;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * A client of ZooKeeper that connects at the first call. Curator retries nothing: it would take the refusal of its
 * second attempt for the answer to the first. Thread-safe.
 *
 * @param <X> what a failed call throws
 */
public final class ZooKeeperClient<X extends Exception> implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ZooKeeperClient.class.getName());

    private static final int CLOSE_SECONDS = 1;

    /** What a call does. */
    @FunctionalInterface
    public interface Call<T> {

        @SuppressWarnings("java:S112")
        T run(CuratorFramework curator) throws Exception;
    }

    private final CuratorFrameworkFactory.Builder builder;

    private volatile CuratorFramework client;

    private final List<ACL> rights;

    private final String label;

    private final BiFunction<String, Throwable, X> failure;

    private final ReentrantLock starting = new ReentrantLock();

    private volatile boolean started;

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
        rights = place.credentials().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
        client = builder.build();
        label = place.label();
        this.failure = failure;
    }

    /** The rights to a node that is created without Curator. */
    List<ACL> rights() {
        return rights;
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
        starting.lockInterruptibly();
        try {
            if (!started) {
                startLocked();
            }
        } finally {
            starting.unlock();
        }
    }

    private void startLocked() throws Exception {
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

    /** Ends the session, which holds nothing. Waits for that for a second at most. */
    @Override
    public void close() {
        FutureTask<Boolean> end = new FutureTask<>(client::close, true);
        LibraryThread.named("distributedid-close", end).start();
        try {
            boolean unused = end.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "A session was not ended: " + label, e);
        }
    }
}
