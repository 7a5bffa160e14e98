package io.distributedid.mysql;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.IdSource;
import io.distributedid.testkit.JavaProcess;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A process that takes ids of two sequences with several threads until it is told to stop, each with a file for what it
 * was given. It goes by a clock that its test sets, and asks again when it is refused. It ends with exit code 0 only if
 * each refusal was a {@link WorkerRefusal}.
 */
final class IdTaker {

    /** What a process and its test tell each other. */
    enum Field {
        /** What the test adds to the clock of the process. */
        CLOCK_OFFSET_MILLIS,
        /** How often the process was told to begin anew. */
        SNAPSHOTS,
        BUSY_IDS,
        CALM_IDS,
        LONGEST_PAUSE_NANOS
    }

    /** What is asked for. */
    enum Load {
        /** As fast as ids come, so that a number that two processes have at one time can't but give ids twice. */
        BUSY(Field.BUSY_IDS, 1, 0),
        /** With pauses, so that most ids begin a tick. */
        CALM(Field.CALM_IDS, 1, 4);

        final Field ids;

        private final int threads;

        private final int longestPauseMillis;

        Load(Field ids, int threads, int longestPauseMillis) {
            this.ids = ids;
            this.threads = threads;
            this.longestPauseMillis = longestPauseMillis;
        }
    }

    private static final int PAUSE_AFTER_REFUSAL_MILLIS = 20;

    private static final int POLL_MILLIS = 5;

    private final Path folder;

    private final int node;

    private final int run;

    private final FaultBoard<Field> board;

    private final FaultBoard<WorkerRefusal> refusals;

    private volatile boolean stopped;

    private IdTaker(Path folder, int node, int run) {
        this.folder = folder;
        this.node = node;
        this.run = run;
        board = board(folder);
        refusals = refusals(folder);
    }

    static FaultBoard<Field> board(Path folder) {
        return new FaultBoard<>(folder.resolve("board"), Field.class);
    }

    static FaultBoard<WorkerRefusal> refusals(Path folder) {
        return new FaultBoard<>(folder.resolve("refusals"), WorkerRefusal.class);
    }

    /** Where the files of ids are; their names begin with {@code load-node-run-}. */
    static Path ids(Path folder) {
        return folder.resolve("ids");
    }

    /** Arguments: settings, folder, number of the node, number of its run. */
    public static void main(String[] args) throws Exception {
        IdTaker taker = new IdTaker(Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        FaultProcess.atEndOfInput(taker::stop);
        taker.takeUntilStopped(JavaProcess.settings(args[0]));
    }

    private void stop() {
        stopped = true;
    }

    private Instant now() {
        return Instant.now().plusMillis(board.get(node, Field.CLOCK_OFFSET_MILLIS));
    }

    private void takeUntilStopped(Map<String, String> settings) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        try (DistributedIds ids =
                DistributedIds.builder().settings(settings).clock(this::now).build()) {
            List<Future<?>> all = new ArrayList<>();
            for (Load load : Load.values()) {
                for (int thread = 0; thread < load.threads; thread++) {
                    Path file = ids(folder).resolve(load + "-" + node + "-" + run + "-" + thread);
                    all.add(pool.submit(() -> {
                        takeUntilStopped(ids, load, file);
                        return null;
                    }));
                }
            }
            beginAnewWhenTold(ids);
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private void beginAnewWhenTold(DistributedIds ids) throws InterruptedException {
        long done = board.get(node, Field.SNAPSHOTS);
        while (!stopped) {
            long told = board.get(node, Field.SNAPSHOTS);
            if (told != done) {
                done = told;
                ids.beginAnew();
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void takeUntilStopped(DistributedIds ids, Load load, Path path) throws Exception {
        Random random = ThreadLocalRandom.current();
        try (IdFile file = new IdFile(path)) {
            IdSource source = null;
            long last = System.nanoTime();
            while (!stopped) {
                try {
                    if (source == null) {
                        source = ids.sequence(load.name());
                    }
                    file.add(source.next());
                } catch (IdUnavailableException | IdConfigurationException e) {
                    refusals.count(node, WorkerRefusal.of(e));
                    Thread.sleep(random.nextInt(PAUSE_AFTER_REFUSAL_MILLIS));
                    continue;
                }
                board.count(node, load.ids);
                long now = System.nanoTime();
                board.raise(node, Field.LONGEST_PAUSE_NANOS, now - last);
                last = now;
                if (load.longestPauseMillis > 0) {
                    Thread.sleep(random.nextInt(1 + load.longestPauseMillis));
                }
            }
        } finally {
            stopped = true;
        }
    }
}
