package io.distributedid.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link ManyThreads} on virtual threads, in a JVM that gives them one carrier only. If this JVM is older than 21 it
 * looks for a newer one on the machine; where there is none it says so and runs the program on platform threads, so
 * that nothing is skipped unseen.
 */
class VirtualThreadsTest {

    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");

    @Test
    void waitingForIdsHoldsNoCarrier(@TempDir Path folder, TestReporter reporter) throws Exception {
        Optional<Path> newer = javaWithVirtualThreads();
        String ran = newer.map(home -> "virtual threads: " + home)
                .orElse("*** NO VIRTUAL THREADS: no Java " + FIRST_WITH_VIRTUAL_THREADS
                        + " or later found, tried on platform threads instead; set JAVA_HOME_21_X64 to a newer one");
        reporter.publishEntry(ran);
        System.err.println(ran);

        String output = run(newer.orElse(Path.of(System.getProperty("java.home"))), folder.resolve("output"));

        assertThat(output.lines()).contains((newer.isPresent() ? "virtual" : "platform") + " ids=2100 different=2100");
    }

    private static String run(Path home, Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        home.resolve("bin/java").toString(),
                        "-Xmx256m",
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ManyThreads.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(180, TimeUnit.SECONDS))
                    .as(() -> "ended: " + read(output))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return read(output);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Optional<Path> javaWithVirtualThreads() throws IOException {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        System.getenv().forEach((name, value) -> {
            if (name.startsWith("JAVA_HOME")) {
                homes.add(Path.of(value));
            }
        });
        Path installed = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(installed)) {
            try (Stream<Path> found = Files.list(installed)) {
                found.sorted().forEach(homes::add);
            }
        }
        return homes.stream()
                .filter(home -> version(home) >= FIRST_WITH_VIRTUAL_THREADS)
                .filter(home -> Files.isExecutable(home.resolve("bin/java")))
                .findFirst();
    }

    /** As it says itself; 0 if it is none. */
    private static int version(Path home) {
        Path release = home.resolve("release");
        Matcher version = VERSION.matcher(Files.isReadable(release) ? read(release) : "");
        return version.find() ? Integer.parseInt(version.group(1)) : 0;
    }
}
