package io.distributedid.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Decides what becomes of a test whose real server cannot run on this machine: it fails where the environment says
 * {@code CI=true}, because there a skipped test would go unseen, and is skipped with a loud message elsewhere.
 */
public final class RealServers {

    private static final Map<String, String> DEBIAN_PACKAGES = Map.of(
            "libaio.so.1", "libaio1 (libaio1t64 since Debian 13 and Ubuntu 24.04)",
            "libnuma.so.1", "libnuma1",
            "promtool", "prometheus",
            "chromium", "chromium",
            "chromedriver", "chromium-driver",
            "faketime", "faketime",
            "redis-server", "redis-server",
            "redis-sentinel", "redis-sentinel",
            "valkey-server", "valkey-server (of Debian 13, or of the backports of Debian 12)");

    private RealServers() {}

    /** Call before {@link MySqlServer#start}. */
    public static void requireMySql() {
        require("MySQL", MySqlServer.missingLibraries(), "true".equals(System.getenv("CI")));
    }

    /** Call before starting the server of another distribution, for Linux on x86-64. */
    public static void requireMySql(Path base) {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        List<String> missing =
                machine.equals("Linux amd64") ? MySqlServer.missingLibrariesOf(base) : List.of("Linux amd64");
        require("MySQL", missing, "true".equals(System.getenv("CI")));
    }

    /**
     * Call before starting a command of the {@code PATH}. The environment may say with {@code TESTKIT_WITHOUT} which
     * one can't be installed there.
     */
    public static void requireCommand(String command) {
        boolean isLeftOut = command.equals(System.getenv("TESTKIT_WITHOUT"));
        require(command, missing(command), "true".equals(System.getenv("CI")) && !isLeftOut);
    }

    /**
     * As above, for a command that a part of a test needs.
     *
     * @return false if that part is to be left out, after the same message
     */
    public static boolean hasCommand(String command) {
        List<String> missing = missing(command);
        if (!missing.isEmpty()) {
            tell(command, missing, "true".equals(System.getenv("CI")));
        }
        return missing.isEmpty();
    }

    private static List<String> missing(String command) {
        return find(command).isPresent() ? List.of() : List.of(command);
    }

    /** Where a command is: in a folder of the {@code PATH}, or in one of these. */
    public static Optional<Path> find(String command, String... more) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Arrays.stream(more))
                .map(folder -> Path.of(folder, command))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static void require(String server, List<String> missing, boolean ci) {
        if (!missing.isEmpty()) {
            Assumptions.abort(tell(server, missing, ci));
        }
    }

    private static String tell(String server, List<String> missing, boolean ci) {
        List<String> packages = missing.stream()
                .map(name -> DEBIAN_PACKAGES.getOrDefault(name, name))
                .toList();
        String message = server + " cannot run here, the machine lacks " + missing + "; Debian packages: " + packages;
        if (ci) {
            Assertions.fail(message);
        }
        System.err.println("*** SKIPPED: " + message);
        return message;
    }
}
