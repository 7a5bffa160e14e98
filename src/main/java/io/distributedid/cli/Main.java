package io.distributedid.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The command line for operators. Start it with the drivers on the class path: {@code java -cp
 * 'distributedid-cli.jar:lib/*' io.distributedid.cli.Main}. Exit code 0: done; 1: a check failed, or no id is
 * available; 2: the command or the configuration is wrong.
 */
@Command(
        name = "distributedid",
        versionProvider = Version.class,
        description = "Maintains globally unique ids: checks their servers, decodes ids, and moves tables to them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            CheckCommand.class,
            DdlCommand.class,
            InitCommand.class,
            DecodeCommand.class,
            NextCommand.class,
            RaiseCommand.class,
            RepairCommand.class,
            MoveCommand.class,
            ChangeLayoutCommand.class
        },
        footer = {
            "",
            "Exit codes: 0 done; 1 a check failed, or no id is available; 2 the command or the configuration is wrong.",
            "",
            "Example:",
            "  java -cp 'distributedid-cli.jar:lib/*' io.distributedid.cli.Main check --config ids.properties"
        })
public final class Main {

    @Mixin
    private final SettingsOptions options;

    // These fields exist for their annotations.
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean help;

    @SuppressWarnings("UnusedVariable")
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean version;

    private final Function<String, Optional<String>> terminal;

    private Main(SettingsOptions options, Function<String, Optional<String>> terminal) {
        this.options = options;
        this.terminal = terminal;
    }

    SettingsOptions options() {
        return options;
    }

    /** The answer to a question; empty if there is no terminal. */
    Optional<String> ask(String question) {
        return terminal.apply(question);
    }

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        // Else Java 22 to 24 have a console without a terminal too.
        System.setProperty("jdk.console", "java.base");
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
        System.exit(run(
                out,
                err,
                System.getenv(),
                question -> Optional.ofNullable(System.console()).map(console -> console.readLine("%s", question)),
                arguments));
    }

    static int run(
            PrintWriter out,
            PrintWriter err,
            Map<String, String> environment,
            Function<String, Optional<String>> terminal,
            String... arguments) {
        SettingsOptions options = new SettingsOptions(environment);
        WarningHandler warnings = new WarningHandler(options, err);
        try {
            return commandLine(options, out, err, terminal).execute(arguments);
        } finally {
            warnings.close();
            out.flush();
            err.flush();
        }
    }

    static CommandLine commandLine(
            SettingsOptions options, PrintWriter out, PrintWriter err, Function<String, Optional<String>> terminal) {
        ErrorReport errors = new ErrorReport(options, err, Main.class);
        return new CommandLine(new Main(options, terminal))
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setUsageHelpWidth(100)
                .setExecutionExceptionHandler(errors)
                .setParameterExceptionHandler(errors);
    }
}
