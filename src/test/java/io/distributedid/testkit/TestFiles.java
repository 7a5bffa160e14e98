package io.distributedid.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Folders and short helper programs for the test servers. */
public final class TestFiles {

    /** Names the cache folder; unset means {@code target/testkit}, or the temporary folder outside a build. */
    static final String CACHE_PROPERTY = "testkit.cache";

    private static final long PROGRAM_SECONDS = 120;

    private TestFiles() {}

    /** Puts the content of a cache entry into an empty folder. */
    @FunctionalInterface
    interface Filler {
        void fill(Path folder) throws IOException;
    }

    /**
     * Returns the cache entry {@code name} and fills it first if there is none. The content is made in a folder of its
     * own which is then renamed in one step, so a JVM never sees a half-filled entry; of two JVMs that fill the same
     * entry at once the slower one discards its work.
     */
    static synchronized Path cached(String name, Filler filler) {
        try {
            Path cache = Files.createDirectories(cacheRoot().toAbsolutePath());
            Path entry = cache.resolve(name);
            if (Files.isDirectory(entry)) {
                return entry;
            }
            Path draft = Files.createTempDirectory(cache, name + ".draft-");
            try {
                filler.fill(draft);
                rename(draft, entry);
            } finally {
                deleteTree(draft);
            }
            return entry;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot prepare " + name, e);
        }
    }

    private static Path cacheRoot() {
        String chosen = System.getProperty(CACHE_PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        Path target = Path.of("target");
        return Files.isDirectory(target)
                ? target.resolve("testkit")
                : Path.of(System.getProperty("java.io.tmpdir"), "testkit-" + System.getProperty("user.name"));
    }

    private static void rename(Path draft, Path entry) throws IOException {
        try {
            Files.move(draft, entry, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(entry)) {
                throw e;
            }
        }
    }

    /** Copies a folder with all below it; {@code to} must not exist. */
    static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Deletes a folder with all below it; does nothing if it is not there. */
    public static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(folder)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }

    /** Runs a program to its end and returns what it printed; a non-zero exit code or a hang is an exception. */
    static String run(List<String> command) throws IOException {
        Path output = Files.createTempFile("testkit-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C");
            Process process = builder.redirectOutput(output.toFile()).start();
            boolean ended;
            try {
                ended = process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted while running " + command, e);
            }
            if (!ended) {
                process.destroyForcibly();
                throw new IOException(command + " did not end. Output:\n" + read(output));
            }
            if (process.exitValue() != 0) {
                throw new IOException(command + " failed with " + process.exitValue() + ". Output:\n" + read(output));
            }
            return read(output);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    /** Reads a text file of unknown encoding without ever failing on its bytes. */
    static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }
}
