package io.distributedid.mysql;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import io.distributedid.testkit.JavaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process that takes ids of one sequence with several threads until it is told to stop. Each thread notes every id in
 * a file of its own as soon as it has it, so that nothing is lost when the process is killed. A thread that is refused
 * asks again.
 */
final class CounterClient {

    /** What is known of a node; the numbers only grow. */
    enum Field {
        IDS,
        REFUSALS,
        /** The highest id whose remainder is 0; the next ones follow, see {@link #highest}. */
        HIGHEST_0,
        HIGHEST_1,
        HIGHEST_2;

        static Field highest(int remainder) {
            return values()[HIGHEST_0.ordinal() + remainder];
        }
    }

    private static final int LARGEST_BATCH = 20;

    private static final int LONGEST_PAUSE_MILLIS = 50;

    private final FaultBoard<Field> board;

    private final Path folder;

    private final int node;

    private final int run;

    private final int servers;

    private volatile boolean stopped;

    private CounterClient(Path folder, int node, int run, int servers) {
        board = board(folder);
        this.folder = folder;
        this.node = node;
        this.run = run;
        this.servers = servers;
    }

    static FaultBoard<Field> board(Path folder) {
        return new FaultBoard<>(folder.resolve("board"), Field.class);
    }

    /** Where the files of ids are. */
    static Path ids(Path folder) {
        return folder.resolve("ids");
    }

    /** Arguments: settings, folder, node, number of its run, number of servers, threads. */
    public static void main(String[] args) throws Exception {
        CounterClient client = new CounterClient(
                Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]));
        FaultProcess.atEndOfInput(() -> client.stopped = true);
        client.run(JavaProcess.settings(args[0]), Integer.parseInt(args[5]));
    }

    private void run(Map<String, String> settings, int threads) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (DistributedIds ids = DistributedIds.create(settings)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Path file = ids(folder).resolve(node + "-" + run + "-" + thread);
                all.add(pool.submit(() -> {
                    takeUntilStopped(ids, file);
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

    private void takeUntilStopped(DistributedIds ids, Path path) throws Exception {
        // Batches and pauses of all lengths let the processes meet in all orders; each thread has the same ones in
        // every run.
        Random random = new Random(path.getFileName().toString().hashCode());
        try (IdFile file = new IdFile(path)) {
            while (!stopped) {
                try {
                    IdSource source = ids.sequence("photos");
                    for (int left = 1 + random.nextInt(LARGEST_BATCH); left > 0; left--) {
                        take(source, file);
                    }
                } catch (DistributedIdException e) {
                    System.out.println("Refused: " + e);
                    board.count(node, Field.REFUSALS);
                }
                Thread.sleep(random.nextInt(1 + LONGEST_PAUSE_MILLIS));
            }
        } finally {
            stopped = true;
        }
    }

    private void take(IdSource source, IdFile file) throws Exception {
        long id = source.next();
        file.add(id);
        board.raise(node, Field.highest((int) (id % servers)), id);
        board.count(node, Field.IDS);
    }
}
