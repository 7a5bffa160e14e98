package io.distributedid.maelstrom;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The command line.
 *
 * @param folder of the files of all nodes; empty in modes without files
 * @param window how long a worker number is leased
 */
record Options(Mode mode, Optional<Path> folder, Duration window) {

    static final String USAGE = """
            Usage: node MODE [folder=DIR] [window=MILLIS]
              lin-kv       Snowflake, worker numbers leased from Maelstrom's lin-kv
              first-node   Snowflake, worker numbers leased from the first node; needs a folder
              tickets      blocks of the first two nodes, which count odd and even numbers; needs a folder
              lww-kv       Snowflake, worker numbers leased from lww-kv, which loses writes: gives ids twice
              folder       an existing folder, where nodes keep files; use a new one for each test
              window       how long a worker number is leased: 100 to 600000, 2000 by default""";

    private static final long MIN_WINDOW = 100;

    private static final long MAX_WINDOW = 600_000;

    /** @throws IllegalArgumentException if they are wrong; the message says what is allowed */
    static Options parse(String... args) {
        if (args.length == 0) {
            throw new IllegalArgumentException("The mode is missing");
        }
        Mode mode = Mode.of(args[0]);
        Optional<Path> folder = Optional.empty();
        Duration window = Duration.ofSeconds(2);
        for (int i = 1; i < args.length; i++) {
            if (args[i].startsWith("folder=")) {
                folder = Optional.of(Path.of(args[i].substring("folder=".length())));
            } else if (args[i].startsWith("window=")) {
                window = window(args[i].substring("window=".length()));
            } else {
                throw new IllegalArgumentException(
                        "There is no such option: " + args[i] + ", allowed: folder=DIR, window=MILLIS");
            }
        }
        if (folder.isPresent() != mode.keepsFiles()) {
            throw new IllegalArgumentException(
                    mode.keepsFiles()
                            ? "The mode needs a folder for its files: mode=" + mode.text() + ". Add folder=DIR"
                            : "The mode keeps no files: mode=" + mode.text() + ". Leave out folder=" + folder.get());
        }
        return new Options(mode, folder, window);
    }

    private static Duration window(String text) {
        if (text.matches("[0-9]{1,9}")) {
            long millis = Long.parseLong(text);
            if (MIN_WINDOW <= millis && millis <= MAX_WINDOW) {
                return Duration.ofMillis(millis);
            }
        }
        throw new IllegalArgumentException(
                "The window is out of range: window=" + text + ", allowed: " + MIN_WINDOW + " to " + MAX_WINDOW);
    }
}
