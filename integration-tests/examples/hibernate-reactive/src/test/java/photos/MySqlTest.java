package photos;

import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real MySQL, with tickets from another schema. */
@Needs(Need.MYSQL)
class MySqlTest extends ReactiveContract {

    private MySqlServer server;

    @BeforeAll
    void start(@TempDir Path folder) throws SQLException {
        server = MySqlServer.start(folder.resolve("mysql"));
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER photos IDENTIFIED WITH mysql_native_password BY 'secret'");
            statement.execute("GRANT ALL ON photos.* TO photos");
        }
    }

    @Override
    Connection connect() throws SQLException {
        return server.connect("photos");
    }

    @Override
    Map<String, String> database() {
        return Map.of(
                "jakarta.persistence.jdbc.url",
                "jdbc:mysql://127.0.0.1:" + server.port() + "/photos",
                "jakarta.persistence.jdbc.user",
                "photos",
                "jakarta.persistence.jdbc.password",
                "secret");
    }

    @Override
    Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(super.settings());
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", server.jdbcUrl("tickets"));
        settings.put("distributedid.create_tables", "true");
        return settings;
    }

    @Override
    long prepared(String beginning) throws SQLException {
        try (Connection connection = connect();
                var rows = connection.createStatement().executeQuery("SHOW GLOBAL STATUS LIKE 'Com_stmt_prepare'")) {
            rows.next();
            return rows.getLong(2);
        }
    }

    @Override
    long connections() throws SQLException {
        return numbers("SELECT COUNT(*) FROM information_schema.processlist WHERE db IN ('photos', 'tickets')"
                        + " AND id <> CONNECTION_ID()")
                .get(0);
    }
}
