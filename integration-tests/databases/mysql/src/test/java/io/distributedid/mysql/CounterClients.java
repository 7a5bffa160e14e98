package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.mysql.CounterClient.Field;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The {@link CounterClient} processes of a test, and all ids that they were given. */
final class CounterClients implements AutoCloseable {

    /** Blocks as applications have them, single ids, and small ones. */
    private static final int[] BLOCKS = {0, 1, 100};

    private static final int THREADS = 2;

    private final Path folder;

    private final String timeout;

    private final Map<Integer, FaultProcess> running = new HashMap<>();

    private final List<FaultProcess> all = new ArrayList<>();

    private final FaultBoard<Field> board;

    /** A caller without an id is refused after {@code timeout}. */
    CounterClients(Path folder, String timeout) throws IOException {
        this.folder = folder;
        this.timeout = timeout;
        Files.createDirectory(CounterClient.ids(folder));
        board = CounterClient.board(folder);
    }

    FaultBoard<Field> board() {
        return board;
    }

    /** Starts a process of a node, whose last one has ended. */
    void start(int node, String backend, List<String> urls) throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                backend,
                "distributedid." + backend + ".servers",
                String.join(", ", urls),
                "distributedid.create_tables",
                "true",
                "distributedid.timeout",
                "10s",
                "distributedid.block.timeout",
                timeout));
        int block = BLOCKS[node % BLOCKS.length];
        if (block > 0) {
            settings.put("distributedid.block.max", Integer.toString(block));
        }
        int run = all.size();
        FaultProcess process = FaultProcess.start(
                CounterClient.class,
                folder.resolve("node" + node + "-" + run + ".log"),
                settings,
                folder,
                node,
                run,
                urls.size(),
                THREADS);
        all.add(process);
        running.put(node, process);
    }

    /** SIGKILL. */
    void kill9(int node) throws InterruptedException {
        running.remove(node).kill9();
    }

    /** Lets it end; it hands back what it can. */
    void stop(int node) throws IOException, InterruptedException {
        FaultProcess process = running.remove(node);
        assertThat(process.stop())
                .as("exit code of node %d:%n%s", node, process.log())
                .isZero();
    }

    void stopAll() throws IOException, InterruptedException {
        for (int node : List.copyOf(running.keySet())) {
            stop(node);
        }
    }

    boolean isRunning(int node) {
        return running.containsKey(node);
    }

    void requireAlive() throws IOException {
        for (Map.Entry<Integer, FaultProcess> node : running.entrySet()) {
            if (!node.getValue().isAlive()) {
                throw new AssertionError("A process has ended: node=" + node.getKey() + "\n"
                        + node.getValue().log());
            }
        }
    }

    /** How the logs of all processes begin. */
    String logs() throws IOException {
        StringBuilder logs = new StringBuilder();
        for (FaultProcess process : all) {
            process.log().lines().limit(20).forEach(line -> logs.append(line).append('\n'));
        }
        return logs.toString();
    }

    /** All ids of all processes, also of those that were killed, in ascending order. */
    long[] ids() throws IOException {
        LongStream.Builder ids = LongStream.builder();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(CounterClient.ids(folder))) {
            for (Path file : files) {
                IdFile.read(file, ids);
            }
        }
        return ids.build().sorted().toArray();
    }

    /** Fails if an id was given twice, or one that a process counted is not among them. */
    void assertNoneTwice() throws IOException {
        long[] ids = ids();
        assertThat((long) ids.length).as("ids in the files").isGreaterThanOrEqualTo(board.sum(Field.IDS));
        assertThat(Arrays.stream(ids).distinct().count())
                .as("different ids of %d", ids.length)
                .isEqualTo(ids.length);
    }

    @Override
    public void close() {
        all.forEach(FaultProcess::close);
    }
}
