package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.postgresql.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The column's collation says whether names that differ in case are one. */
class SequenceNamesTest {

    @Test
    void theCollationOfTheColumnIsAsked() throws Exception {
        try (Connection connection = DriverManager.getConnection(Postgres.url());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE COLLATION any_case"
                    + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");

            assertThat(ignoreCase(connection, "by_default", "VARCHAR(50)")).isFalse();
            assertThat(ignoreCase(connection, "by_any_case", "VARCHAR(50) COLLATE any_case"))
                    .isTrue();

            connection.rollback();
        }
    }

    private static boolean ignoreCase(Connection connection, String table, String type) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (name " + type + " PRIMARY KEY, id BIGINT NOT NULL)");
        }
        return SequenceTableLook.require(connection, table, "here").namesIgnoreCase();
    }
}
