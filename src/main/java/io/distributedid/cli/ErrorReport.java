package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import java.io.File;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URL;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints an error in one line, with {@code --verbose} also its causes. Masks secrets. */
public final class ErrorReport implements IExecutionExceptionHandler, IParameterExceptionHandler {

    private final SettingsOptions options;

    private final PrintWriter err;

    private final Class<?> main;

    /**
     * Prints errors of a program.
     *
     * @param main its main class
     */
    public ErrorReport(SettingsOptions options, PrintWriter err, Class<?> main) {
        this.options = options;
        this.err = err;
        this.main = main;
    }

    /** A message, with a command that finds the driver if one is missing: {@code java -jar} has no other class path. */
    static String withStart(String message, Class<?> main) {
        URL jar = main.getProtectionDomain().getCodeSource().getLocation();
        // A jar within another one has no path.
        Object path = jar.getProtocol().equals("file") ? new File(URI.create(jar.toString())) : jar;
        return message.replace(
                JdbcUrl.ADD_DRIVER,
                JdbcUrl.ADD_DRIVER + ": put its jar into the folder lib, and start the command as java -cp \"" + path
                        + File.pathSeparator + "lib/*\" " + main.getName());
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult parseResult) {
        err.println(withStart(message(e), main));
        if (options.isVerbose()) {
            printCauses(e, Collections.newSetFromMap(new IdentityHashMap<>()));
        }
        // These two mean a wrong command or configuration. Other errors may go away.
        return e instanceof IdConfigurationException || e instanceof IllegalArgumentException
                ? ExitCode.USAGE
                : ExitCode.SOFTWARE;
    }

    private void printCauses(Throwable e, Set<Throwable> seen) {
        if (!seen.add(e)) {
            return;
        }
        Throwable cause = e.getCause();
        if (cause != null) {
            err.println("  because: " + cause.getClass().getName() + ": " + message(cause));
            printCauses(cause, seen);
        }
        for (Throwable suppressed : e.getSuppressed()) {
            err.println("  besides: " + suppressed.getClass().getName() + ": " + message(suppressed));
            printCauses(suppressed, seen);
        }
    }

    private String message(Throwable e) {
        @Nullable String message = e.getMessage();
        return options.secrets().masked(message == null ? e.getClass().getName() : message);
    }

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        err.println(message(e));
        if (e instanceof UnmatchedArgumentException unmatched) {
            UnmatchedArgumentException.printSuggestions(unmatched, err);
        }
        err.println("Try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }
}
