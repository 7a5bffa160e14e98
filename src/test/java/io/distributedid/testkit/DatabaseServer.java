package io.distributedid.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A real database server, with a {@code root} user without a password. */
public abstract class DatabaseServer extends RealServer {

    private static final int GREETING_MILLIS = 1000;
    private static final int PROTOCOL_VERSION = 10;

    /**
     * Describes a server; {@code command} gets the port appended, and a folder for temporary files: at its start a
     * server deletes those in its folder, also if they are another server's.
     */
    DatabaseServer(Path home, List<String> command) {
        super(home, Ports.take(), command);
        add("--port=" + port());
        add("--tmpdir=" + home.resolve("tmp"));
    }

    /** Returns the URL of a schema, which is created by the first connection; append {@code &name=value} as needed. */
    public abstract String jdbcUrl(String schema);

    /** Opens a connection to a schema, which is created if it is not there. */
    public final Connection connect(String schema) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(schema));
    }

    /** A server that listens but is not ready leaves a client without the greeting packet. */
    @Override
    final boolean greets() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), GREETING_MILLIS);
            socket.setSoTimeout(GREETING_MILLIS);
            InputStream in = socket.getInputStream();
            byte[] head = in.readNBytes(5);
            return head.length == 5 && head[4] == PROTOCOL_VERSION;
        } catch (IOException e) {
            return false;
        }
    }

    /** A server refuses to run as the superuser unless told so by name. */
    static List<String> userOption() {
        return "root".equals(System.getProperty("user.name")) ? List.of("--user=root") : List.of();
    }
}
