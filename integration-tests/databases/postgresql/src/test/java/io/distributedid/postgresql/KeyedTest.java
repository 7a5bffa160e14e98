package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
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

    /** As by a proxy. Both servers have a row of the key. */
    @Test
    void aServerThatIsExchangedBehindAConnectionGivesNoNumber() throws SQLException {
        String url = withTable();
        try (DistributedIds ids = open(url)) {
            assertThat(ids.keyed("messages").next(1, 6)).endsWith(6);
            DatabaseRows.execute(
                    url,
                    "UPDATE keyed_sequence SET number = number + 10000000 WHERE key_text = ' @record'",
                    "UPDATE keyed_sequence SET number = 2 WHERE key_text = '1'");

            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("lost its rows");
            assertThat(DatabaseRows.number(url, "SELECT number FROM keyed_sequence WHERE key_text = '1'"))
                    .isEqualTo(2);
        }
    }

    /** To see whether the record is only newer, the transaction would have to write; XA could not undo that. */
    @Test
    void aboveReadCommittedALostRecordMayBeANewerOne() throws SQLException {
        String url = withTable();
        try (DistributedIds ids = DistributedIds.create(Map.of());
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            for (int number = 1; number <= 3; number++) {
                assertThat(ids.keyed("invoices").next(7, connection)).isEqualTo(number);
                connection.commit();
            }
            DatabaseRows.execute(url, "DELETE FROM keyed_sequence WHERE name = 'invoices'");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> ids.keyed("invoices").next(7, connection))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("40001"))
                        .hasMessageContaining("If that does not help, the table has lost its rows");
                connection.commit();
            }
            assertThat(DatabaseRows.rows(url, "SELECT key_text, number FROM keyed_sequence WHERE name = 'invoices'"))
                    .containsExactly("7 0");
        }
    }

    @Override
    protected Map<String, String> refusedTables() {
        String table = "CREATE %s TABLE keyed_sequence (name VARCHAR(50), key_text VARCHAR(150), number %s NOT NULL,"
                + " PRIMARY KEY (name, key_text))";
        return Map.of(
                table.formatted("UNLOGGED", "BIGINT"),
                "relpersistence=u, allowed: relpersistence=p. Recreate it: CREATE TABLE",
                table.formatted("", "INT"),
                "The column number must have 64 bits",
                table.formatted("", "BIGINT").replace("150", "20"),
                "key_text=varchar(20), allowed: 150 characters or more");
    }
}
