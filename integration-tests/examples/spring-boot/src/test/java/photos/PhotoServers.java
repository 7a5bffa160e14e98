package photos;

import io.distributedid.testkit.MySqlServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Two ticket servers and the application's database, and the application on them. */
record PhotoServers(MySqlServer tickets1, MySqlServer tickets2, MySqlServer database) {

    static PhotoServers start(Path folder) {
        return new PhotoServers(
                MySqlServer.start(
                        folder.resolve("tickets1"), "--auto-increment-increment=2", "--auto-increment-offset=1"),
                MySqlServer.start(
                        folder.resolve("tickets2"), "--auto-increment-increment=2", "--auto-increment-offset=2"),
                MySqlServer.start(folder.resolve("database")));
    }

    /** As {@code main} does, with the addresses of these servers. */
    ConfigurableApplicationContext run(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.url=" + database.jdbcUrl("photos"),
                "--spring.datasource.username=root",
                "--distributedid.ticket.servers=" + tickets1.jdbcUrl("tickets") + "," + tickets2.jdbcUrl("tickets"),
                "--distributedid.seq.comments.snowflake.lease.server=" + tickets1.jdbcUrl("tickets"),
                "--spring.jpa.properties.hibernate.generate_statistics=true"));
        arguments.addAll(Arrays.asList(more));
        return SpringApplication.run(PhotoApplication.class, arguments.toArray(String[]::new));
    }

    /** The name of a ticket server in health and meters: its URL without parameters. */
    static String name(MySqlServer server) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/tickets";
    }

    /** How many connections there are to a schema. */
    static long connections(MySqlServer server, String schema) throws SQLException {
        return number(
                server, "SELECT COUNT(*) FROM information_schema.processlist WHERE db = '" + schema + "'", "mysql");
    }

    static long number(MySqlServer server, String query, String schema) throws SQLException {
        try (Connection connection = server.connect(schema);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
