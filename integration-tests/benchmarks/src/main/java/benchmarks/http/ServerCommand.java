package benchmarks.http;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Commands that start servers. All have the same heap, and the JVM's defaults otherwise. */
public final class ServerCommand {

    /** In the folder of the server: keeps logs below warnings out of the results. */
    static final String LOGGING = "logging.properties";

    /** The folder of this project, in which it and the contender with Spring Boot were built. */
    public static final Path HOME =
            Path.of(System.getProperty("bench.home", "")).toAbsolutePath();

    /** The jar of the issuing service, which runs alone. */
    public static final String SERVICE = HOME.resolve("target/service/*").toString();

    private ServerCommand() {}

    /** Of a program with a class path of its own. */
    public static List<String> java(String main, String... classPath) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx512m",
                "-Djava.util.logging.config.file=" + LOGGING,
                "-cp",
                String.join(
                        System.getProperty("path.separator"),
                        Stream.of(classPath).toList()),
                main);
    }

    /**
     * Of the issuing service, as it is delivered.
     *
     * @param settings by their full names, {@code NAME=VALUE}
     * @param jars of JDBC drivers other than H2's
     */
    public static List<String> service(List<String> settings, String... jars) {
        List<String> command = new ArrayList<>(java(
                "io.distributedid.server.Main",
                Stream.concat(Stream.of(SERVICE), Stream.of(jars)).toArray(String[]::new)));
        settings.forEach(setting -> command.add("-D" + setting));
        return command;
    }

    /**
     * Of the issuing service that gives ids, on any free port. It counts on H2, in files.
     *
     * @param sequences of which it gives ids
     * @param settings more of them, as above
     */
    public static List<String> ids(List<String> sequences, List<String> settings) {
        List<String> all = new ArrayList<>(List.of(
                "distributedid.backend=sequence_table",
                "distributedid.sequence_table.servers=" + inFile("ids"),
                "distributedid.create_tables=true",
                "distributedid.server.sequences=" + String.join(",", sequences),
                "distributedid.server.port=0"));
        all.addAll(settings);
        return service(all);
    }

    /** A durable H2 database in the folder of the server. */
    public static String inFile(String name) {
        return "jdbc:h2:./" + name + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    }

    /** The jar or the folder of a class in this JVM. */
    public static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
