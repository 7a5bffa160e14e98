package io.distributedid.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

/** On MySQL and MariaDB, where a database is created when it is connected to. */
public abstract class MySqlSequenceTableMoveContract extends SequenceTableMoveContract {

    private static final List<String> SCHEMAS = List.of("move1", "move2", "move3", "move4");

    /** A database of a server, which is created if it is missing. */
    protected abstract DataSource server(String schema);

    @AfterEach
    void drop() throws SQLException {
        for (String schema : SCHEMAS) {
            execute(server(schema), "DROP DATABASE IF EXISTS " + schema);
        }
    }

    @Override
    protected List<DataSource> servers() {
        return SCHEMAS.stream().map(this::server).toList();
    }

    private static void execute(DataSource server, String... statements) throws SQLException {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
