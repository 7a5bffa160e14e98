package io.distributedid.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** The library's threads that were not there before, and this process's sockets to servers, on Linux. */
final class LeftBehind {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(10);

    /** Of other tests, which failed before they closed everything. */
    private final Set<Thread> earlier = Thread.getAllStackTraces().keySet();

    /** Names of threads that are alive. */
    private List<String> threads() {
        return threads(earlier);
    }

    /** Names of the library's threads that are alive, without some. */
    static List<String> threads(Set<Thread> without) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && !without.contains(thread))
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
    void await(String name) {
        await(
                "a thread " + name + " runs",
                () -> threads().stream().anyMatch(each -> each.startsWith(name)),
                this::threads);
    }

    /** Waits for the end of all. */
    void awaitNone(List<Integer> ports) {
        await(
                "no thread and no socket is left",
                () -> threads().isEmpty() && sockets(ports).isEmpty(),
                () -> threads() + " and " + sockets(ports));
    }

    private static void await(String what, Callable<Boolean> condition, Callable<?> seen) {
        Await.every(PAUSE, PATIENCE, what, condition, seen);
    }
}
