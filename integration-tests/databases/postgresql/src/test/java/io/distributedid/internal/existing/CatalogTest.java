package io.distributedid.internal.existing;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.postgresql.Postgres;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which indexes find the largest value of a column. */
class CatalogTest {

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
        assertThat(stored("number").hindrance()).isEmpty();
        assertThat(stored("code").isText()).isTrue();
        assertThat(stored("key").hindrance()).contains("it holds neither numbers nor texts: type=uuid");
        assertThat(StoredColumn.of(connection, new IdColumn("no_such_table", "id", IdForm.EITHER, 1, 0)))
                .isEmpty();
    }

    private boolean leads(String column) throws SQLException {
        return Catalog.of(connection, DatabaseProduct.POSTGRESQL, List.of(column(column)))
                .leadsAnIndex(column(column));
    }

    private StoredColumn stored(String column) throws SQLException {
        return StoredColumn.of(connection, column(column)).orElseThrow();
    }

    private static IdColumn column(String name) {
        return new IdColumn(TABLE, name, IdForm.PADDED, 1, 0);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
