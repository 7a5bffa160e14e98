package benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.LogManager;

/** Keeps logs below warnings out of the results, in each JVM. */
public final class Logs {

    private Logs() {}

    /** To be called before anything is logged. */
    public static void quiet() throws IOException {
        try (InputStream logging = configuration()) {
            LogManager.getLogManager().readConfiguration(logging);
        }
    }

    /** Writes the configuration for a JVM that can't call {@link #quiet}. */
    public static void copyTo(Path file) throws IOException {
        try (InputStream logging = configuration()) {
            Files.copy(logging, file);
        }
    }

    private static InputStream configuration() {
        return Logs.class.getResourceAsStream("/logging.properties");
    }
}
