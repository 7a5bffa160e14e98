package io.distributedid.service;

import io.distributedid.testkit.Need;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/**
 * The wall clock of a process, which is set from outside by libfaketime. The monotonic clock stays as it is, as on a
 * machine whose clock is set. Where the command {@code faketime} is missing, nothing is changed, which is said loudly.
 */
final class WallClock {

    private final Path file;

    private final boolean isAvailable = !Need.FAKETIME.isSkipped();

    /** @param folder for the file that says how far the clock is off */
    WallClock(Path folder) throws IOException {
        file = folder.resolve("clock");
        shift(Duration.ZERO);
    }

    boolean isAvailable() {
        return isAvailable;
    }

    /** For the process. */
    Map<String, String> environment() throws IOException {
        if (!isAvailable) {
            return Map.of();
        }
        return Map.of(
                "LD_PRELOAD",
                library(),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                // In seconds, until the file is read again.
                "FAKETIME_CACHE_DURATION",
                "1",
                // Otherwise waits of a JVM end at once, so that it computes instead of waiting.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    /** The command itself knows where its library is. */
    private static String library() throws IOException {
        Process process = new ProcessBuilder("faketime", "-m", "-f", "+0", "printenv", "LD_PRELOAD").start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (printed.isEmpty()) {
            throw new IOException("faketime names no library");
        }
        return printed;
    }

    /** Sets it this far from the real one. The process notices within about a second. */
    void shift(Duration time) throws IOException {
        long seconds = time.toSeconds();
        Path next = Files.writeString(file.resolveSibling("clock.next"), (seconds < 0 ? "" : "+") + seconds + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
