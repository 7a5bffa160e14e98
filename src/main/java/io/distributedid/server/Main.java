package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.cli.ErrorReport;
import io.distributedid.cli.SettingsOptions;
import io.distributedid.cli.Version;
import io.distributedid.internal.process.LibraryThread;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Starts the issuing service: {@code java -jar distributedid-server.jar --config ids.properties}. It runs until it gets
 * SIGTERM or SIGINT. Exit code 0: stopped; 1: no start, for a reason that may go away; 2: the command or the
 * configuration is wrong.
 */
@Command(
        name = "distributedid-server",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Issues ids over HTTP, to callers in any language.",
        footer = {
            "",
            "Exit codes: 0 stopped; 1 not started, for a reason that may go away; 2 the command or the configuration is"
                    + " wrong.",
            "",
            "Examples:",
            "  java -jar distributedid-server.jar --demo",
            "  java -jar distributedid-server.jar --config ids.properties",
            "  java -cp 'distributedid-server.jar:lib/*' io.distributedid.server.Main --config ids.properties"
        })
public final class Main implements Callable<Integer> {

    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

    @Mixin
    private final SettingsOptions options;

    private final PrintWriter out;

    /** Given the running server. */
    private final Consumer<IdServer> started;

    @Option(
            names = "--demo",
            description = "Serve the sequence \"demo\", counted in an H2 database in the working directory, unless the"
                    + " settings say otherwise.")
    private boolean demo;

    @Option(
            names = "--insecure",
            description = "Let programs on other machines take ids without a token and without TLS.")
    private boolean insecure;

    @Option(
            names = "--new-token",
            paramLabel = "NAME",
            description = "Make a token, print it and the setting that allows it, and exit.")
    private @Nullable String newToken;

    private Main(SettingsOptions options, PrintWriter out, Consumer<IdServer> started) {
        this.options = options;
        this.out = out;
        this.started = started;
    }

    /** Runs the server and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        if (System.getProperty(LOG_FORMAT) == null) {
            System.setProperty(LOG_FORMAT, "%1$tFT%1$tT.%1$tL%1$tz %4$s %5$s%6$s%n");
        }
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
        System.exit(run(out, err, System.getenv(), server -> stopAtSignal(server, out), arguments));
    }

    /** @param started given the running server; the call returns when that is closed */
    static int run(
            PrintWriter out,
            PrintWriter err,
            Map<String, String> environment,
            Consumer<IdServer> started,
            String... arguments) {
        SettingsOptions options = new SettingsOptions(environment);
        ErrorReport errors = new ErrorReport(options, err, Main.class);
        return new CommandLine(new Main(options, out, started))
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setUsageHelpWidth(100)
                .setExecutionExceptionHandler(errors)
                .setParameterExceptionHandler(errors)
                .execute(arguments);
    }

    /** A JVM that gets a signal exits with its number, unless it is halted: orchestrators take that for a failure. */
    private static void stopAtSignal(IdServer server, PrintWriter out) {
        Runtime.getRuntime().addShutdownHook(LibraryThread.named("distributedid-stop", () -> {
            server.close();
            out.println("The server has stopped.");
            out.flush();
            Runtime.getRuntime().halt(0);
        }));
    }

    @Override
    public Integer call() throws InterruptedException {
        if (newToken != null) {
            return printToken(newToken);
        }
        Map<String, Object> values = options.read().values();
        if (values.isEmpty() && !demo) {
            throw new IdConfigurationException(
                    "The server needs settings: --config=FILE. To try it without any, start it with --demo");
        }
        IdServer server = IdServer.start(demo ? withDemo(values) : values, insecure, options.secrets());
        out.println("The server listens at " + server.url() + " and " + served(server.settings()) + ".");
        server.settings().sequences().stream()
                .findFirst()
                .ifPresent(name -> out.println("Try: curl -X POST " + server.url() + "/v1/sequences/" + name + "/ids"
                        + (server.needsToken() ? " -H 'Authorization: Bearer TOKEN'" : "")));
        out.println("Status page: " + server.url() + "/");
        out.flush();
        started.accept(server);
        server.awaitEnd();
        return 0;
    }

    /**
     * The demonstration counts in a file, since a counter in memory would give the same ids again after the next start.
     * H2 does not close it at SIGTERM by itself, but when the server has ended.
     */
    private static Map<String, Object> withDemo(Map<String, Object> own) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("distributedid.backend", "sequence_table");
        settings.put(
                "distributedid.sequence_table.servers",
                "jdbc:h2:./distributedid-demo;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0");
        settings.put("distributedid.create_tables", "true");
        settings.put(ServerSettings.SEQUENCES.name(), "demo");
        settings.putAll(own);
        return settings;
    }

    private static String served(ServerSettings settings) {
        List<String> all = new ArrayList<>();
        if (!settings.sequences().isEmpty()) {
            all.add("issues ids of " + String.join(", ", settings.sequences()));
        }
        if (!settings.keyed().isEmpty()) {
            all.add("numbers per key of " + String.join(", ", settings.keyed()));
        }
        return String.join(", and ", all);
    }

    private int printToken(String name) {
        String setting = Access.hashOf(name).name();
        if (!Access.names(Set.of(setting)).contains(name)) {
            throw new IdConfigurationException("A token's name must be a letter, then up to 49 letters, digits, '_' or"
                    + " '-': --new-token=" + name);
        }
        String token = Access.newToken();
        out.println("The caller sends:   Authorization: Bearer " + token);
        out.println("The server's file:  " + setting + "=" + Access.hash(token));
        out.println("                    " + Access.sequencesOf(name).name() + "=*");
        return 0;
    }
}
