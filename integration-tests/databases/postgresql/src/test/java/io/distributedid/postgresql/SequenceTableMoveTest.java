package io.distributedid.postgresql;

import io.distributedid.testkit.SequenceTableMoveContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

class SequenceTableMoveTest extends SequenceTableMoveContract {

    private static final List<String> SCHEMAS = List.of("move1", "move2", "move3", "move4");

    @BeforeEach
    void create() throws SQLException {
        execute("CREATE SCHEMA ", "");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("DROP SCHEMA ", " CASCADE");
    }

    @Override
    protected List<DataSource> servers() {
        return SCHEMAS.stream().map(SequenceTableMoveTest::server).toList();
    }

    private static DataSource server(String schema) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(Postgres.url());
        // Hostile on purpose: a statement that waited for a client would not see what it has committed.
        server.setOptions("-c default_transaction_isolation=serializable");
        server.setCurrentSchema(schema);
        return server;
    }

    private static void execute(String before, String after) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            for (String schema : SCHEMAS) {
                statement.execute(before + schema + after);
            }
        }
    }
}
