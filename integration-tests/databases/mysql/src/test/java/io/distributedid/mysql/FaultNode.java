package io.distributedid.mysql;

import io.distributedid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * An application that persists photos with several threads until it is told to stop, and looks at each id at once: it
 * must lie above all that came from the same server before the {@code persist()}.
 *
 * <p>"All" means the ids of its own threads; for a {@link Plan#witness} the ids of all applications. Only a witness can
 * promise that, because its server is asked after the {@code persist()} began. The block of another application may
 * have been reserved earlier.
 */
final class FaultNode implements AutoCloseable {

    /** What is known of an application; the numbers only grow. */
    enum Field {
        /** The highest id it got from the server whose offset is 2. */
        HIGHEST_EVEN,
        /** The highest id it got from the server whose offset is 1. */
        HIGHEST_ODD,
        IDS,
        LONGEST_WAIT_NANOS;

        /** Where the ids of a server are noted. */
        static Field highestOf(long id) {
            return id % 2 == 0 ? HIGHEST_EVEN : HIGHEST_ODD;
        }
    }

    private static final int LARGEST_TRANSACTION = 20;

    /**
     * What an application does.
     *
     * @param block {@code block.max}; 0 for the default
     * @param longestPauseMillis between two transactions of a thread
     */
    record Plan(String name, int threads, int block, int longestPauseMillis) {

        /**
         * With one thread, blocks of one id, and none reserved because another gets old, none is reserved before it is
         * asked for.
         */
        boolean witness() {
            return threads == 1 && block == 1;
        }
    }

    private final FaultBoard<Field> board;

    private final int number;

    private final Plan plan;

    private final SessionFactory factory;

    private final ExecutorService pool;

    private final List<Future<?>> running = new ArrayList<>();

    private volatile boolean stopped;

    /**
     * Starts an application.
     *
     * @param number its place on the board
     * @param seed of transactions and pauses
     */
    FaultNode(FaultBoard<Field> board, int number, Plan plan, long seed, Map<String, String> settings) {
        this.board = board;
        this.number = number;
        this.plan = plan;
        Properties all = new Properties();
        all.putAll(settings);
        all.put("hibernate.connection.pool_size", Integer.toString(plan.threads));
        if (plan.block > 0) {
            all.put("distributedid.block.max", Integer.toString(plan.block));
        }
        if (plan.witness()) {
            all.put("distributedid.block.max_age", "off");
        }
        factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .addProperties(all)
                .buildSessionFactory();
        pool = Executors.newFixedThreadPool(plan.threads);
        for (int thread = 0; thread < plan.threads; thread++) {
            Random random = new Random(seed + thread);
            running.add(pool.submit(() -> {
                persistUntilStopped(random);
                return null;
            }));
        }
    }

    String name() {
        return plan.name;
    }

    /** Fails if an id or a {@code persist()} has. */
    void requireAlive() throws Exception {
        for (Future<?> each : running) {
            if (each.isDone()) {
                each.get();
            }
        }
    }

    /** Lets it end its transactions. Fails if an id or a {@code persist()} has. */
    void stop() throws Exception {
        stopped = true;
        for (Future<?> each : running) {
            each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
        factory.close();
    }

    private void persistUntilStopped(Random random) throws InterruptedException {
        while (!stopped) {
            int photos = 1 + random.nextInt(LARGEST_TRANSACTION);
            factory.inTransaction(session -> {
                for (int i = 0; i < photos; i++) {
                    persist(session);
                }
            });
            Thread.sleep(random.nextInt(1 + plan.longestPauseMillis));
        }
    }

    private void persist(Session session) {
        long even = highest(Field.HIGHEST_EVEN);
        long odd = highest(Field.HIGHEST_ODD);
        Photo photo = new Photo(number, "photo");
        long asked = System.nanoTime();
        session.persist(photo);
        board.raise(number, Field.LONGEST_WAIT_NANOS, System.nanoTime() - asked);
        long id = photo.getId();
        long earlier = Field.highestOf(id) == Field.HIGHEST_EVEN ? even : odd;
        if (id <= earlier) {
            throw new IllegalStateException(
                    "An id must lie above all earlier ones of its server: id=" + id + " earlier=" + earlier);
        }
        board.raise(number, Field.highestOf(id), id);
        board.count(number, Field.IDS);
    }

    private long highest(Field field) {
        return plan.witness() ? board.highest(field) : board.get(number, field);
    }
}
