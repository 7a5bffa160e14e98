package io.distributedid.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class of the library warns of, from now on until it is closed. */
public final class LoggedWarnings extends Handler implements AutoCloseable {

    private final Logger logger;

    private final List<String> messages = new CopyOnWriteArrayList<>();

    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

    private LoggedWarnings(Logger logger) {
        this.logger = logger;
    }

    /** Listens to the logger of a class. */
    public static LoggedWarnings of(Class<?> source) {
        LoggedWarnings warnings = new LoggedWarnings(Logger.getLogger(source.getName()));
        warnings.setLevel(Level.WARNING);
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    /** Listens to the loggers of all classes of a package. */
    public static LoggedWarnings ofPackage(Package source) {
        LoggedWarnings warnings = new LoggedWarnings(Logger.getLogger(source.getName()));
        warnings.setLevel(Level.WARNING);
        warnings.logger.addHandler(warnings);
        return warnings;
    }

    public List<String> messages() {
        return List.copyOf(messages);
    }

    /** The exceptions whose traces were logged. */
    public List<Throwable> thrown() {
        return List.copyOf(thrown);
    }

    @Override
    public void publish(LogRecord warning) {
        if (isLoggable(warning)) {
            messages.add(warning.getMessage());
            if (warning.getThrown() != null) {
                thrown.add(warning.getThrown());
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
