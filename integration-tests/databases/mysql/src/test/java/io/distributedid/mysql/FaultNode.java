package io.distributedid.mysql;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * A process that persists photos with several threads until it is told to stop, and looks at each id at once: it must
 * lie above all that came from the same server before the {@code persist()}. It ends with exit code 0 only if each did
 * and no {@code persist()} failed.
 *
 * <p>"All" means the ids of its own threads; for a {@link Plan#witness} the ids of all processes. Only a witness can
 * promise that, because its server is asked after the {@code persist()} began. The block of another process may have
 * been reserved earlier.
 */
final class FaultNode implements AutoCloseable {

    /** What is known of a process; the numbers only grow. */
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
     * What a process does.
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

    private final Plan plan;

    private final FaultProcess process;

    private FaultNode(Plan plan, FaultProcess process) {
        this.plan = plan;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param folder holds the board and the log
     * @param number its place on the board
     * @param seed of transactions and pauses
     */
    static FaultNode start(Path folder, int number, Plan plan, long seed, Map<String, String> settings)
            throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("hibernate.connection.pool_size", Integer.toString(plan.threads));
        if (plan.block > 0) {
            all.put("distributedid.block.max", Integer.toString(plan.block));
        }
        if (plan.witness()) {
            all.put("distributedid.block.max_age", "off");
        }
        FaultProcess process = FaultProcess.start(
                FaultNode.class,
                folder.resolve("node" + number + ".log"),
                "256m",
                folder.toString(),
                Integer.toString(number),
                plan.name,
                Integer.toString(plan.threads),
                Integer.toString(plan.block),
                Integer.toString(plan.longestPauseMillis),
                Long.toString(seed),
                Uploader.text(all));
        return new FaultNode(plan, process);
    }

    String name() {
        return plan.name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Lets it end its transactions; returns its exit code. */
    int stop() throws IOException, InterruptedException {
        return process.stop();
    }

    String log() throws IOException {
        return process.log();
    }

    @Override
    public void close() {
        process.close();
    }

    /** The process itself, which ends when its standard input does. */
    public static void main(String[] args) throws Exception {
        Plan plan = new Plan(args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        Properties settings = new Properties();
        settings.load(new StringReader(args[7]));
        try (SessionFactory factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .addProperties(settings)
                .buildSessionFactory()) {
            Persister persister = new Persister(factory, board(Path.of(args[0])), Integer.parseInt(args[1]), plan);
            FaultProcess.atEndOfInput(persister::stop);
            persister.run(Long.parseLong(args[6]));
        }
    }

    static FaultBoard<Field> board(Path folder) {
        return new FaultBoard<>(folder.resolve("board"), Field.class);
    }

    private static final class Persister {

        private final SessionFactory factory;

        private final FaultBoard<Field> board;

        private final int number;

        private final Plan plan;

        private volatile boolean stopped;

        Persister(SessionFactory factory, FaultBoard<Field> board, int number, Plan plan) {
            this.factory = factory;
            this.board = board;
            this.number = number;
            this.plan = plan;
        }

        void stop() {
            stopped = true;
        }

        void run(long seed) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(plan.threads);
            try {
                List<Future<?>> all = new ArrayList<>();
                for (int thread = 0; thread < plan.threads; thread++) {
                    Random random = new Random(seed + thread);
                    all.add(pool.submit(() -> {
                        persistUntilStopped(random);
                        return null;
                    }));
                }
                for (Future<?> one : all) {
                    one.get();
                }
            } finally {
                pool.shutdownNow();
            }
        }

        private void persistUntilStopped(Random random) throws InterruptedException {
            try {
                while (!stopped) {
                    int photos = 1 + random.nextInt(LARGEST_TRANSACTION);
                    factory.inTransaction(session -> {
                        for (int i = 0; i < photos; i++) {
                            persist(session);
                        }
                    });
                    Thread.sleep(random.nextInt(1 + plan.longestPauseMillis));
                }
            } finally {
                stopped = true;
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
}
