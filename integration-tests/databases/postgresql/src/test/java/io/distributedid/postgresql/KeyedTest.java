package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.KeyedContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyedTest extends KeyedContract {

    @Override
    protected String url(String name) throws SQLException {
        String found = "SELECT COUNT(*) FROM pg_database WHERE datname = '" + name + "'";
        if (DatabaseRows.number(Postgres.url(), found) == 0) {
            DatabaseRows.execute(Postgres.url(), "CREATE DATABASE " + name);
        }
        return Postgres.url(name);
    }

    /** The driver does not know the schema; {@code search_path} changes it. */
    @Test
    void inTransactionsEachSchemaHasARecordOfItsOwn() throws Exception {
        String url = withTable();
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String schema : List.of("one", "two")) {
                statement.execute("CREATE SCHEMA " + schema);
                statement.execute(
                        "CREATE TABLE " + schema + ".keyed_sequence (LIKE public.keyed_sequence INCLUDING ALL)");
                statement.execute("SET search_path = " + schema);
                connection.commit();
                for (int number = 1; number <= 3; number++) {
                    assertThat(ids.keyed("invoices").next(7, connection)).isEqualTo(number);
                    connection.commit();
                }
                assertThat(DatabaseRows.rows(
                                url, "SELECT key_text, number FROM " + schema + ".keyed_sequence ORDER BY key_text"))
                        .hasSize(2)
                        .contains("7 3");
            }
        }
    }

    @Override
    protected Map<String, String> refusedTables() {
        String table = "CREATE %s TABLE keyed_sequence (name VARCHAR(50), key_text VARCHAR(150), number %s NOT NULL,"
                + " PRIMARY KEY (name, key_text))";
        return Map.of(
                table.formatted("UNLOGGED", "BIGINT"),
                "relpersistence=u, allowed: relpersistence=p. Create it anew: CREATE TABLE",
                table.formatted("", "INT"),
                "The column number must have 64 bits",
                table.formatted("", "BIGINT").replace("150", "20"),
                "key_text=varchar(20), allowed: 150 characters or more");
    }
}
