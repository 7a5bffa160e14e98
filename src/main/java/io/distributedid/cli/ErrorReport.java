package io.distributedid.cli;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import java.io.File;
import java.io.PrintWriter;
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

    /** Not {@code java -jar}, which ignores any other class path. */
    private final String start;

    /**
     * Prints errors of a program.
     *
     * @param jar of the program
     * @param main its main class
     */
    public ErrorReport(SettingsOptions options, PrintWriter err, String jar, Class<?> main) {
        this.options = options;
        this.err = err;
        start = ": put its jar into the folder lib, and start the command as java -cp \"" + jar + File.pathSeparator
                + "lib/*\" " + main.getName();
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult parseResult) {
        err.println(message(e).replace(JdbcUrl.ADD_DRIVER, JdbcUrl.ADD_DRIVER + start));
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
