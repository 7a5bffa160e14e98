package io.distributedid.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Where the data of real servers lie. The build may name a file system in memory: a server that is killed there has
 * lost no more than on a disk, since the machine goes on, and no test waits for the disk. It is used while there is
 * plenty of memory.
 */
final class ServerFolders {

    /** Names the file system in memory, as in {@code /dev/shm}. */
    static final String MEMORY_PROPERTY = "testkit.memory";

    private static final long ENOUGH_BYTES = 6L << 30;

    private static final String PREFIX = "testkit-";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private static final AtomicBoolean SWEPT = new AtomicBoolean();

    private ServerFolders() {}

    /** Returns a folder for a server, which is still to be made: in memory, or else {@code onDisk}. */
    static Path next(Path onDisk) throws IOException {
        String memory = System.getProperty(MEMORY_PROPERTY);
        if (memory == null || !isRoomy(Path.of(memory))) {
            return onDisk.toAbsolutePath();
        }
        if (!SWEPT.getAndSet(true)) {
            sweep(Path.of(memory));
        }
        return ofThisJvm(Path.of(memory));
    }

    private static Path ofThisJvm(Path memory) {
        return memory.resolve(PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet());
    }

    /** Both the file system and the memory of the machine: the first may promise more than the second has. */
    private static boolean isRoomy(Path memory) throws IOException {
        return Files.isWritable(memory)
                && Files.getFileStore(memory).getUsableSpace() >= ENOUGH_BYTES
                && available() >= ENOUGH_BYTES;
    }

    private static long available() throws IOException {
        Path known = Path.of("/proc/meminfo");
        if (!Files.isReadable(known)) {
            return 0;
        }
        List<String> lines = Files.readAllLines(known);
        return lines.stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    /** Deletes what a JVM left that was killed. Of several JVMs that do so, one moves a folder, and deletes it. */
    private static void sweep(Path memory) throws IOException {
        try (Stream<Path> all = Files.list(memory)) {
            for (Path folder : all.filter(ServerFolders::isLeftBehind).toList()) {
                Path moved = ofThisJvm(memory);
                try {
                    Files.move(folder, moved);
                } catch (NoSuchFileException e) {
                    continue;
                }
                TestFiles.deleteTree(moved);
            }
        }
    }

    private static boolean isLeftBehind(Path folder) {
        String name = folder.getFileName().toString();
        return name.matches(PREFIX + "\\d+-\\d+")
                && ProcessHandle.of(Long.parseLong(name.split("-")[1])).isEmpty();
    }
}
