package benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.util.logging.LogManager;

/** Keeps logs below warnings out of the results, in each JVM. */
public final class Logs {

    private Logs() {}

    /** To be called before anything is logged. */
    public static void quiet() throws IOException {
        try (InputStream logging = Logs.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(logging);
        }
    }
}
