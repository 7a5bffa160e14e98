package io.distributedid.it;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Everything that the library logs, whatever the level, and what all others log by default; stack traces included. */
final class LogRecorder extends Handler implements AutoCloseable {

    private static final Logger ROOT = Logger.getLogger("");

    private static final Logger LIBRARY = Logger.getLogger("io.distributedid");

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    private final SimpleFormatter formatter = new SimpleFormatter();

    private final Level libraryLevel = LIBRARY.getLevel();

    LogRecorder() {
        LIBRARY.setLevel(Level.ALL);
        ROOT.addHandler(this);
    }

    String text() {
        return String.join("", lines);
    }

    @Override
    public void publish(LogRecord entry) {
        lines.add(formatter.format(entry));
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    @Override
    public void close() {
        ROOT.removeHandler(this);
        LIBRARY.setLevel(libraryLevel);
    }
}
