package io.distributedid.it;

import io.distributedid.DistributedIds;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * A program that takes ids on threads that wait for a server, and persists on many: on virtual threads where Java has
 * them. Prints the threads' kind, how many ids it got, and how many of them differ.
 */
final class ManyThreads {

    private static final int WAITING = 100;

    private static final int PERSISTING = 2_000;

    private ManyThreads() {}

    public static void main(String[] arguments) throws Exception {
        boolean virtual = Runtime.version().feature() >= 21;
        ExecutorService threads = virtual
                ? (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null)
                : Executors.newCachedThreadPool();
        List<Long> ids = new ArrayList<>(idsThatAreWaitedFor(threads));
        ids.addAll(persisted(threads));
        threads.shutdown();
        Set<Long> different = new HashSet<>(ids);
        System.out.println(
                (virtual ? "virtual" : "platform") + " ids=" + ids.size() + " different=" + different.size());
    }

    /**
     * The server answers when one more thread has run: one that held its carrier while it waits would wait for ever.
     */
    private static List<Long> idsThatAreWaitedFor(ExecutorService threads) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        ConnectionAccess server = new ConnectionAccess() {
            @Override
            public Connection obtain() throws SQLException {
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
                return DriverManager.getConnection("jdbc:h2:mem:server;DB_CLOSE_DELAY=-1");
            }

            @Override
            public String label() {
                return "a slow server";
            }
        };
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", server,
                "distributedid.create_tables", "true",
                "distributedid.timeout", "1m",
                "distributedid.block.timeout", "1m"))) {
            CountDownLatch started = new CountDownLatch(WAITING);
            List<Future<Long>> waiting = start(threads, WAITING, () -> {
                started.countDown();
                return ids.next("users");
            });
            threads.submit(() -> {
                started.await();
                answer.countDown();
                return null;
            });
            return all(waiting);
        }
    }

    private static List<Long> persisted(ExecutorService threads) throws Exception {
        Semaphore connections = new Semaphore(4);
        try (SessionFactory factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:photos;DB_CLOSE_DELAY=-1")
                .setProperty("hibernate.connection.pool_size", "10")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.sequence_table.start", "1000000")
                .setProperty("distributedid.block.max", "16")
                .buildSessionFactory()) {
            return all(start(threads, PERSISTING, () -> {
                connections.acquire();
                try {
                    Photo photo = new Photo();
                    factory.inTransaction(session -> session.persist(photo));
                    return photo.id;
                } finally {
                    connections.release();
                }
            }));
        }
    }

    private static List<Future<Long>> start(ExecutorService threads, int count, Callable<Long> task) {
        List<Future<Long>> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(threads.submit(task));
        }
        return started;
    }

    private static List<Long> all(List<Future<Long>> tasks) throws InterruptedException, ExecutionException {
        List<Long> results = new ArrayList<>();
        for (Future<Long> task : tasks) {
            results.add(task.get());
        }
        return results;
    }
}
