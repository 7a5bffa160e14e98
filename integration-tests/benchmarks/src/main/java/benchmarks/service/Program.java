package benchmarks.service;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What answers requests. Each program has a class path of its own, and says at its start where it listens. All have the
 * same heap, and the JVM's defaults otherwise.
 */
enum Program {
    /** As it is delivered. Counts on H2, in files. */
    SERVICE {
        @Override
        List<String> command(List<String> settings) {
            List<String> command = new ArrayList<>(java("io.distributedid.server.Main", SERVICE_JARS));
            command.addAll(List.of(
                    "-Ddistributedid.backend=sequence_table",
                    "-Ddistributedid.sequence_table.servers=jdbc:h2:./ids;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
                    "-Ddistributedid.sequence_table.create_table=true",
                    "-Ddistributedid.server.sequences=" + SEQUENCE + "," + TABLE,
                    "-Ddistributedid.server.port=0"));
            settings.forEach(setting -> command.add("-D" + setting));
            return command;
        }
    },
    /** The same Vert.x, and nothing else. */
    BARE {
        @Override
        List<String> command(List<String> settings) {
            return java(BareServer.class.getName(), SERVICE_JARS, ownClasses());
        }
    },
    /** Tomcat, with the defaults of Spring Boot. */
    SPRING {
        @Override
        List<String> command(List<String> settings) {
            return java("contender.SpringServer", SPRING_JARS);
        }
    };

    /** For requests. */
    static final String SEQUENCE = "photos";

    /** In the folder of the server: keeps logs below warnings out of the results. */
    static final String LOGGING = "logging.properties";

    /** For entities, whose sequence has the name of their table. */
    private static final String TABLE = "photo";

    /** The folder of this project, in which it and the contender with Spring Boot were built. */
    private static final Path HOME =
            Path.of(System.getProperty("bench.home", "")).toAbsolutePath();

    private static final String SERVICE_JARS = HOME.resolve("target/service/*").toString();

    private static final String SPRING_JARS =
            HOME.resolve("spring/target/spring/*").toString();

    /**
     * The command that starts it.
     *
     * @param settings of the issuing service, {@code NAME=VALUE}; others have none
     */
    abstract List<String> command(List<String> settings);

    private static List<String> java(String main, String... classPath) {
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

    private static String ownClasses() {
        try {
            return Path.of(BareServer.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
