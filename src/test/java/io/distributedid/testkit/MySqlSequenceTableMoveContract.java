package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.sequencetable.SequenceTableMove;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * On MySQL and MariaDB, where a database is created when it is connected to, and names that differ in their case may be
 * one.
 */
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

    @Test
    void sequencesThatWouldBecomeOneAreRefusedBeforeAnythingIsChanged() throws SQLException {
        List<DataSource> servers = servers();
        String ddl = "CREATE TABLE sequence (name VARCHAR(50) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,"
                + " id BIGINT UNSIGNED NOT NULL DEFAULT 0) CHARACTER SET utf8mb4";
        execute(servers.get(0), ddl, "INSERT INTO sequence VALUES ('Photos', 3000), ('photos', 5)");

        assertThatThrownBy(() -> SequenceTableMove.move(servers.subList(0, 1), servers.subList(0, 2), "sequence"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("Two names must be two sequences on all servers")
                .hasMessageContaining("[Photos, photos]");
        assertThat(tables(servers.get(0))).containsExactly("sequence");
        assertThat(tables(servers.get(1))).isEmpty();

        execute(servers.get(1), ddl);
        SequenceTableMove.move(servers.subList(0, 1), servers.subList(0, 2), "sequence");
        assertThat(column(servers.get(1), "SELECT id FROM sequence ORDER BY id"))
                .containsExactly("6", "3000");
    }

    private static List<String> tables(DataSource server) throws SQLException {
        return column(server, "SHOW TABLES");
    }

    private static List<String> column(DataSource server, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
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
