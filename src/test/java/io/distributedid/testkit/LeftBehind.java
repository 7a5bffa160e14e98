package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The library's threads that were not there before, and this process's sockets to servers, on Linux. */
final class LeftBehind {

    private static final long PATIENCE_NANOS = 30_000_000_000L;

    /** Of other tests, which failed before they closed everything. */
    private final Set<Thread> earlier = Thread.getAllStackTraces().keySet();

    /** Names of threads that are alive. */
    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !earlier.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("distributedid-"))
                .sorted()
                .toList();
    }

    /** The sockets of this process that lead to one of the ports. */
    private static List<String> sockets(List<Integer> ports) throws IOException {
        Set<String> own = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path file : files) {
                try {
                    own.add(Files.readSymbolicLink(file).toString());
                } catch (NoSuchFileException e) {
                    continue; // closed meanwhile
                }
            }
        }
        List<String> found = new ArrayList<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split("\\s+");
                if (own.contains("socket:[" + fields[9] + "]")) {
                    int port = Integer.parseInt(fields[2].substring(fields[2].indexOf(':') + 1), 16);
                    if (ports.contains(port)) {
                        found.add("port=" + port + " state=" + fields[3]);
                    }
                }
            }
        }
        return found;
    }

    /** Waits for a thread that does something. */
    void await(String name) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (threads().stream().noneMatch(each -> each.startsWith(name))) {
            assertThat(System.nanoTime()).as(name).isLessThan(deadline);
            Thread.sleep(10);
        }
    }

    /** Waits for the end of all. */
    void awaitNone(List<Integer> ports) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!threads().isEmpty() || !sockets(ports).isEmpty()) {
            assertThat(System.nanoTime())
                    .as("%s and %s are left", threads(), sockets(ports))
                    .isLessThan(deadline);
            Thread.sleep(10);
        }
    }
}
