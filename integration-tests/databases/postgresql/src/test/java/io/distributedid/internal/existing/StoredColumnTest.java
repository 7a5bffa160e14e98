package io.distributedid.internal.existing;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.postgresql.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which indexes find the largest value of a column. */
class StoredColumnTest {

    private static final String TABLE = "\"Stored Rows\"";

    private Connection connection;

    @BeforeEach
    void table() throws SQLException {
        connection = DriverManager.getConnection(Postgres.url());
        execute("CREATE SCHEMA stored");
        execute("CREATE TABLE stored." + TABLE + " (\"Id\" BIGINT, number BIGINT, code TEXT, key UUID)");
        execute("SET search_path = public, stored");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("DROP SCHEMA stored CASCADE");
        connection.close();
    }

    @Test
    void anIndexMustBeginWithTheColumn() throws SQLException {
        assertThat(leads("number")).isFalse();
        execute("CREATE INDEX ON " + TABLE + " (code, number)");
        assertThat(leads("number")).isFalse();
        assertThat(leads("code")).isTrue();
        execute("CREATE INDEX ON " + TABLE + " (number DESC, code)");
        assertThat(leads("number")).isTrue();
    }

    @Test
    void thePrimaryKeyCounts() throws SQLException {
        execute("ALTER TABLE " + TABLE + " ADD PRIMARY KEY (\"Id\", number)");
        assertThat(leads("\"Id\"")).isTrue();
        assertThat(leads("number")).isFalse();
    }

    @Test
    void anIndexOfSomeRowsOrOfHashesOrOfAnExpressionDoesNotCount() throws SQLException {
        execute("CREATE INDEX ON " + TABLE + " (number) WHERE number > 5");
        execute("CREATE INDEX ON " + TABLE + " USING hash (number)");
        execute("CREATE INDEX ON " + TABLE + " ((-number))");
        assertThat(leads("number")).isFalse();
    }

    @Test
    void anIndexOfATableOfTheSameNameDoesNotCount() throws SQLException {
        execute("CREATE SCHEMA stored_too");
        try {
            execute("CREATE TABLE stored_too." + TABLE + " (number BIGINT PRIMARY KEY)");
            assertThat(leads("number")).isFalse();
        } finally {
            execute("DROP SCHEMA stored_too CASCADE");
        }
    }

    @Test
    void typesAreThoseOfTheDatabase() throws SQLException {
        assertThat(stored("number").isNumber()).isTrue();
        assertThat(stored("code").isText()).isTrue();
        assertThat(stored("key").isText() || stored("key").isNumber()).isFalse();
        assertThat(StoredColumn.of(connection, "no_such_table", "id")).isEmpty();
    }

    private boolean leads(String column) throws SQLException {
        return stored(column).leadsAnIndex(connection, TABLE);
    }

    private StoredColumn stored(String column) throws SQLException {
        return StoredColumn.of(connection, TABLE, column).orElseThrow();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
