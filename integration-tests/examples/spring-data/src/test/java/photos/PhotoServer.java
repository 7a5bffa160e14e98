package photos;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A real PostgreSQL, and the application on it. */
record PhotoServer(EmbeddedPostgres postgres) implements AutoCloseable {

    static PhotoServer start() throws IOException {
        return new PhotoServer(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .start());
    }

    /** As {@code main} does, with the addresses of this server. */
    ConfigurableApplicationContext run(String... more) {
        return SpringApplication.run(PhotoApplication.class, arguments(more).toArray(String[]::new));
    }

    List<String> arguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.web-application-type=none",
                "--spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres",
                "--spring.r2dbc.username=postgres",
                "--database.jdbc-url=jdbc:postgresql://127.0.0.1:" + postgres.getPort()
                        + "/postgres?ApplicationName=photos",
                "--database.username=postgres"));
        arguments.addAll(Arrays.asList(more));
        return arguments;
    }

    long number(String query) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
