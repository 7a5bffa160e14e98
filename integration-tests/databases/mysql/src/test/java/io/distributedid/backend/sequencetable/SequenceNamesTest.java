package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.mysql.MySqlServers;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The column's collation says whether names that differ in case are one. */
@Needs(Need.MYSQL)
class SequenceNamesTest {

    @Test
    void theCollationOfTheColumnIsAsked() throws Exception {
        try (Connection connection = MySqlServers.shard(0).connect("names")) {
            assertThat(ignoreCase(connection, "by_default", "VARCHAR(50)")).isTrue();
            assertThat(ignoreCase(connection, "by_bytes", "VARCHAR(50) COLLATE utf8mb4_bin"))
                    .isFalse();
            assertThat(ignoreCase(connection, "by_case", "VARCHAR(50) COLLATE utf8mb4_0900_as_cs"))
                    .isFalse();
            assertThat(ignoreCase(connection, "western", "VARCHAR(50) CHARACTER SET latin1"))
                    .isTrue();
            assertThat(ignoreCase(connection, "raw", "VARBINARY(50)")).isFalse();
        }
    }

    private static boolean ignoreCase(Connection connection, String table, String type) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (name " + type + " PRIMARY KEY, id BIGINT NOT NULL)");
        }
        return SequenceTableLook.require(connection, table, "here").namesIgnoreCase();
    }
}
