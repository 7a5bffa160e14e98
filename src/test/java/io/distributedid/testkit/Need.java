package io.distributedid.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server or a tool that a test needs, and that a machine with a JDK and Maven may lack. {@link Needs} skips the test
 * there. The environment may name with {@code TESTKIT_WITHOUT} what counts as missing although it is there: programs
 * and shared libraries, separated by commas. Where it says {@code CI=true}, a skipped test would go unseen: it fails,
 * unless all that it lacks is named so.
 */
public enum Need {
    MYSQL("MySQL", "libaio.so.1", "libnuma.so.1"),
    /** Of Oracle's own package, which is there for one kind of machine. */
    MYSQL_PACKAGE("MySQL's Group Replication", Need.LINUX, "libaio.so.1", "libnuma.so.1"),
    MARIADB("MariaDB", "libcrypt.so.1", "libsystemd.so.0"),
    REDIS("Redis", RedisServer.REDIS),
    VALKEY("Valkey", RedisServer.VALKEY),
    PGBOUNCER("PgBouncer", "pgbouncer"),
    CHROMIUM("The status page in a browser", "chromium", "chromedriver"),
    FAKETIME("A wrong clock", "faketime"),
    PROMTOOL("Prometheus' view of the alerts", "promtool");

    /** Names the file to which each skip adds a line; unset means none. */
    static final String SKIPS_PROPERTY = "testkit.skips";

    private static final String LINUX = "Linux amd64";

    private static final String WITHOUT = "TESTKIT_WITHOUT";

    /** Of what does not have its package's name. */
    private static final Map<String, String> DEBIAN_PACKAGES = Map.of(
            "libaio.so.1", "libaio1 (libaio1t64 since Debian 13 and Ubuntu 24.04)",
            "libnuma.so.1", "libnuma1",
            "libcrypt.so.1", "libcrypt1",
            "libsystemd.so.0", "libsystemd0",
            "promtool", "prometheus",
            "chromedriver", "chromium-driver",
            "valkey-server", "valkey-server (of Debian 13, or of the backports of Debian 12)");

    /** The package may rename it: it is the same library. */
    private static final Path RENAMED_LIBAIO = Path.of("/usr/lib/x86_64-linux-gnu/libaio.so.1t64");

    /** Where Debian has servers, which the path of a user need not name. */
    private static final String OF_SERVERS = "/usr/sbin";

    private static final Map<String, Boolean> LOADABLE = new ConcurrentHashMap<>();

    private final String text;

    private final List<String> parts;

    Need(String text, String... parts) {
        this.text = text;
        this.parts = List.of(parts);
    }

    /** A property, or else a variable of the environment. */
    private static String ofThisJvm(String name) {
        return System.getProperty(name, System.getenv(name));
    }

    /** Says what this machine lacks of it, and what to install; empty if nothing. */
    public Optional<String> lack() {
        return lack(Need::ofThisJvm);
    }

    Optional<String> lack(UnaryOperator<String> environment) {
        List<String> missing = missing(environment);
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String packages = missing.stream()
                .filter(part -> !part.equals(LINUX))
                .map(part -> DEBIAN_PACKAGES.getOrDefault(part, part))
                .collect(Collectors.joining(", "));
        return Optional.of(text + " was not tested, since this machine lacks " + String.join(", ", missing)
                + (packages.isEmpty() ? "" : ". Install the Debian packages: " + packages));
    }

    private List<String> missing(UnaryOperator<String> environment) {
        List<String> without = without(environment);
        return parts.stream()
                .filter(part -> without.contains(part) || !isThere(part, environment))
                .toList();
    }

    private static List<String> without(UnaryOperator<String> environment) {
        return Arrays.asList(
                Optional.ofNullable(environment.apply(WITHOUT)).orElse("").split("\\s*,\\s*"));
    }

    private static boolean isThere(String part, UnaryOperator<String> environment) {
        return switch (part) {
            case LINUX -> LINUX.equals(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
            case RedisServer.REDIS -> RedisServer.program().isPresent();
            default ->
                part.contains(".so.")
                        ? LOADABLE.computeIfAbsent(part, Need::isLoadable)
                        : program(part, environment).isPresent();
        };
    }

    /** Asks the loader of Linux. Servers for other systems bring their libraries. */
    private static boolean isLoadable(String library) {
        if (!System.getProperty("os.name").equals("Linux")
                || RENAMED_LIBAIO.getFileName().toString().equals(library + "t64") && Files.exists(RENAMED_LIBAIO)) {
            return true;
        }
        try {
            return TestFiles.run(List.of("env", "LD_PRELOAD=" + library, "true"))
                    .isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a program is: in a folder of the {@code PATH}, or where servers are. */
    public static Optional<Path> program(String name) {
        return program(name, Need::ofThisJvm);
    }

    private static Optional<Path> program(String name, UnaryOperator<String> environment) {
        String path = Optional.ofNullable(environment.apply("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Stream.of(OF_SERVERS))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * For a part of a test, which is left out then.
     *
     * @return whether this machine lacks it, after having said so as {@link Needs} does
     */
    public boolean isSkipped() {
        return skips(List.of(this), Need::ofThisJvm).isPresent();
    }

    /**
     * Says why a test is skipped; empty if it is not.
     *
     * @throws AssertionError if it must not be skipped
     */
    static Optional<String> skips(List<Need> needs, UnaryOperator<String> environment) {
        List<String> lacks = new ArrayList<>();
        for (Need need : needs) {
            Optional<String> lack = need.lack(environment);
            if (lack.isPresent()) {
                if ("true".equals(environment.apply("CI"))
                        && !without(environment).containsAll(need.missing(environment))) {
                    throw new AssertionError(lack.get() + "; or name what is missing in " + WITHOUT);
                }
                tell(lack.get(), environment.apply(SKIPS_PROPERTY));
                lacks.add(lack.get());
            }
        }
        return lacks.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", lacks));
    }

    private static void tell(String lack, String file) {
        System.err.println("*** SKIPPED: " + lack);
        if (file != null) {
            try {
                Files.createDirectories(Path.of(file).getParent());
                Files.writeString(Path.of(file), lack + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Fails where it would not start: what {@link Needs} left out must not run. */
    void require() {
        lack().ifPresent(lack -> {
            throw new IllegalStateException(lack + "; a test that may be skipped has @Needs(Need." + name() + ")");
        });
    }
}
