package io.distributedid.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.tools.Server;

/** H2 databases in memory that other processes reach too. */
public final class H2Servers implements AutoCloseable {

    private final Server server;

    private H2Servers(Server server) {
        this.server = server;
    }

    public static H2Servers start() throws SQLException {
        // Nobody else may answer at this port once the server is stopped.
        String port = Integer.toString(Ports.take());
        return ServerScope.add(new H2Servers(
                Server.createTcpServer("-tcpPort", port, "-ifNotExists").start()));
    }

    /** The URL of a database, created at its first use. */
    public String url(String database) {
        return "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    /** Removes databases with all they hold; their names are global to the JVM, whatever the server. */
    public static void drop(String... databases) throws SQLException {
        for (String database : databases) {
            try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + database);
                    Statement statement = connection.createStatement()) {
                statement.execute("SHUTDOWN");
            }
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
