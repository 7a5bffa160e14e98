package io.distributedid.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.KeyedContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** By MariaDB's own driver. */
@Needs(Need.MARIADB)
class KeyedTest extends KeyedContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }

    @Override
    protected Map<String, String> refusedTables() {
        String columns = "CREATE TABLE keyed_sequence (name VARCHAR(50), key_text VARCHAR(150), number ";
        String key = " NOT NULL, PRIMARY KEY (name, key_text)) CHARACTER SET utf8mb4 COLLATE ";
        return Map.of(
                columns + "BIGINT" + key + "utf8mb4_general_ci",
                "Keys must be compared by all their characters",
                columns + "BIGINT" + key + "utf8mb4_bin ENGINE=MyISAM",
                "engine=MyISAM, allowed: engine=InnoDB. Recreate it: CREATE TABLE",
                columns + "INT" + key + "utf8mb4_bin",
                "The column number must have 64 bits",
                columns.replace("150", "20") + "BIGINT" + key + "utf8mb4_bin",
                "key_text=VARCHAR(20), allowed: 150 characters or more",
                (columns + "BIGINT" + key).replace("utf8mb4", "latin1") + "latin1_bin",
                "The column key_text must be able to store all characters",
                columns + "BIGINT) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
                "A key must have one row");
    }

    /** As PostgreSQL above READ COMMITTED. MariaDB 11.8 sets the variable by default. */
    @Test
    void underSnapshotIsolationATransactionThatIsTooOldIsRefused() throws SQLException {
        String url = withTable();
        try (DistributedIds ids = open(url);
                Connection old = DriverManager.getConnection(url);
                Connection other = DriverManager.getConnection(url)) {
            KeyedSequence invoices = ids.keyed("invoices");
            other.setAutoCommit(false);
            invoices.next(7, other);
            other.commit();
            execute(old, "SET SESSION innodb_snapshot_isolation = ON");
            old.setAutoCommit(false);
            execute(old, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
            invoices.next(7, other);
            other.commit();

            assertThatThrownBy(() -> invoices.next(7, old))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(1020));
            old.rollback();
            assertThat(invoices.next(7, old)).isEqualTo(3);
            old.commit();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
