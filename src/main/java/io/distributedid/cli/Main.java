package io.distributedid.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * {@code java -jar distributedid-<version>-cli.jar}: what an operator asks of ids and of the servers that give them. Exit code 0: done;
 * 1: a check failed, or no id is to be had; 2: the command or the configuration is wrong.
 */
@Command(
        name = "distributedid",
        versionProvider = Version.class,
        description =
                "Looks after globally unique ids: checks their servers, takes ids apart, and moves tables over to them.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 done; 1 a check failed, or no id is to be had; 2 the command or the configuration is wrong.",
            "",
            "Example:",
            "  java -jar distributedid-cli.jar --drivers mysql-connector-j.jar check --config ids.properties"
        })
public final class Main {

    // The fields are there for their annotations.
    @SuppressWarnings("UnusedVariable")
    @Mixin
    private final SettingsOptions options;

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

    private Main(SettingsOptions options) {
        this.options = options;
    }

    /**
     * Runs one command and ends the JVM with its exit code.
     *
     * @param arguments as {@code --help} says
     */
    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
        System.exit(run(out, err, System.getenv(), arguments));
    }

    /** Runs one command. */
    static int run(PrintWriter out, PrintWriter err, Map<String, String> environment, String... arguments) {
        SettingsOptions options = new SettingsOptions(environment);
        Warnings warnings = new Warnings(options, err);
        try {
            return commandLine(options, out, err).execute(arguments);
        } finally {
            warnings.close();
            out.flush();
            err.flush();
        }
    }

    /** All commands. */
    static CommandLine commandLine(SettingsOptions options, PrintWriter out, PrintWriter err) {
        Failures failures = new Failures(options, err);
        return new CommandLine(new Main(options))
                .addSubcommand(new DdlCommand(options, out))
                .addSubcommand(new CheckCommand(options, out))
                .addSubcommand(new DecodeCommand(options, out))
                .addSubcommand(new NextCommand(options, out))
                .addSubcommand(new CutOverCommand(options, out))
                .addSubcommand(new RepairCommand(options, out))
                .addSubcommand(new RetireCommand(options, out))
                .addSubcommand(new AdoptCommand(options, out))
                .addSubcommand(new MoveCommand(options, out))
                .addSubcommand(new MoveWorkersCommand(options, out))
                .addSubcommand(new ChangeLayoutCommand(options, out))
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setUsageHelpWidth(100)
                .setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures);
    }
}
