package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * A process that takes ids in competition with others. It prints {@code ready} when it is connected, waits for a line
 * on its standard input, takes its ids with several threads, and writes them to a file, each thread's in order.
 */
public final class ContractNode implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;

    private final BufferedReader output;

    private final Path ids;

    private final Path errors;

    private ContractNode(Process process, Path ids, Path errors) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.ids = ids;
        this.errors = errors;
    }

    /** Starts a process and returns when it is ready. */
    public static ContractNode start(Path folder, Map<String, ?> settings, String sequence, int threads, int idsEach)
            throws IOException {
        Path ids = Files.createTempFile(folder, "node", ".ids");
        Path errors = Files.createTempFile(folder, "node", ".err");
        Process process = JavaProcess.of(
                        "256m", ContractNode.class, PatientSettings.of(settings), sequence, threads, idsEach, ids)
                .redirectError(errors.toFile())
                .start();
        ContractNode node = new ContractNode(process, ids, errors);
        String line = node.output.readLine();
        if (!"ready".equals(line)) {
            IllegalStateException failure = JavaProcess.failure(process, errors);
            node.close();
            throw new IllegalStateException("The node is not ready but says: " + line, failure);
        }
        return node;
    }

    /** Lets it take ids. */
    public void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Waits for its end, and returns its ids, one array for each of its threads. */
    public List<long[]> ids(int threads) throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw JavaProcess.failure(process, errors);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(ids));
        int each = bytes.capacity() / Long.BYTES / threads;
        List<long[]> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            long[] taken = new long[each];
            bytes.asLongBuffer().position(thread * each).get(taken);
            all.add(taken);
        }
        return all;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[2]);
        try (DistributedIds ids = DistributedIds.create(JavaProcess.settings(args[0]))) {
            IdSource source = ids.sequence(args[1]);
            System.out.println("ready");
            if (System.in.read() < 0) {
                throw new UncheckedIOException(new IOException("The parent is gone"));
            }
            List<long[]> taken = take(source, threads, Integer.parseInt(args[3]));
            ByteBuffer bytes = ByteBuffer.allocate(
                    taken.stream().mapToInt(array -> array.length).sum() * Long.BYTES);
            taken.forEach(array -> LongStream.of(array).forEach(bytes::putLong));
            Files.write(Path.of(args[4]), bytes.array());
        }
    }

    /** Takes ids with several threads that start together. */
    static List<long[]> take(IdSource source, int threads, int idsEach) throws Exception {
        return Together.run(threads, thread -> {
            long[] taken = new long[idsEach];
            for (int i = 0; i < idsEach; i++) {
                taken[i] = source.next();
            }
            return taken;
        });
    }
}
