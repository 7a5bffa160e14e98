package benchmarks.scale;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** A JDK that has virtual threads. */
final class Jdk {

    private static final int VIRTUAL_THREADS = 21;

    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    private Jdk() {}

    /** The one that runs, else the first that is found among those that Linux distributions install. */
    static Optional<Path> withVirtualThreads() throws IOException {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        if (Files.isDirectory(INSTALLED)) {
            try (Stream<Path> installed = Files.list(INSTALLED)) {
                installed.sorted().forEach(homes::add);
            }
        }
        for (Path home : homes) {
            if (version(home) >= VIRTUAL_THREADS) {
                return Optional.of(home);
            }
        }
        return Optional.empty();
    }

    /** From the file that each JDK has, for example {@code JAVA_VERSION="25.0.1"}; 0 if there is none. */
    static int version(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isReadable(release) || !Files.isExecutable(home.resolve("bin/java"))) {
            return 0;
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        }
        String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Runtime.Version.parse(version).feature();
    }
}
