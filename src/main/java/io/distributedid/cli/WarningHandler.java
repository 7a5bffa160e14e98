package io.distributedid.cli;

import java.io.PrintWriter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Prints the warnings of the library while a command runs, one line each. */
final class WarningHandler extends Handler {

    /** A strong reference, since the log manager holds loggers by weak ones. */
    private static final Logger LOGGER = Logger.getLogger("io.distributedid");

    private final SettingsOptions options;

    private final PrintWriter err;

    private final boolean hadParent;

    WarningHandler(SettingsOptions options, PrintWriter err) {
        this.options = options;
        this.err = err;
        hadParent = LOGGER.getUseParentHandlers();
        setLevel(Level.WARNING);
        setFormatter(new SimpleFormatter());
        LOGGER.setUseParentHandlers(false);
        LOGGER.addHandler(this);
    }

    @Override
    public void publish(LogRecord warning) {
        if (isLoggable(warning)) {
            err.println("Warning: " + options.secrets().masked(getFormatter().formatMessage(warning)));
        }
    }

    @Override
    public void flush() {
        err.flush();
    }

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setUseParentHandlers(hadParent);
    }
}
