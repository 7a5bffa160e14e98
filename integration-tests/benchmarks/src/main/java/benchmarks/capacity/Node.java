package benchmarks.capacity;

import benchmarks.Counters;
import benchmarks.Logs;
import benchmarks.MySql;
import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A process that takes ids of some sequences at a steady rate, until its input ends. */
final class Node implements AutoCloseable {

    private static final int MILLIS = 10;

    private final Process process;

    private Node(Process process) {
        this.process = process;
    }

    /** Returns at once. */
    static Node start(Store store, int sequences, int rate, List<MySql> servers) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Node.class.getName(),
                store.name(),
                Integer.toString(sequences),
                Integer.toString(rate)));
        servers.forEach(server -> command.add(server.url("capacity")));
        return new Node(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns when it takes ids. */
    void awaitReady() throws IOException {
        if (process.getInputStream().read() < 0) {
            throw new IllegalStateException("A process ended before it was ready");
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Store, sequences, ids a second of each, URLs of servers. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        List<String> names = Counters.names(Integer.parseInt(args[1]));
        AtomicBoolean isOver = new AtomicBoolean();
        try (DistributedIds ids = DistributedIds.create(
                Store.valueOf(args[0]).settings(List.of(args).subList(3, args.length)))) {
            ids.admin().prepare(names);
            List<IdSource> sources = names.stream().map(ids::sequence).toList();
            System.out.write('r');
            System.out.flush();
            Thread caller = new Thread(() -> take(sources, Integer.parseInt(args[2]), isOver));
            caller.start();
            while (System.in.read() >= 0) {
                // Until the input ends.
            }
            isOver.set(true);
            caller.join();
        }
    }

    private static void take(List<IdSource> sources, int rate, AtomicBoolean isOver) {
        double perTurn = (double) rate * sources.size() * MILLIS / 1_000;
        long begin = System.nanoTime();
        long taken = 0;
        for (long turn = 1; !isOver.get(); turn++) {
            LockSupport.parkNanos(begin + turn * MILLIS * 1_000_000L - System.nanoTime());
            for (; taken < turn * perTurn; taken++) {
                sources.get((int) (taken % sources.size())).next();
            }
        }
    }
}
