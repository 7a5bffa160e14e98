package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table as Yupoo had it, with clients in other languages that go on with it. */
@Needs(Need.MYSQL)
class YupooTableTest {

    private static final String SCHEMA = "yupoo";

    private final MySqlServer server = MySqlServers.shard(0);

    @BeforeEach
    void create() throws SQLException {
        execute("CREATE TABLE sequence (name VARCHAR(50) NOT NULL, id BIGINT UNSIGNED NOT NULL DEFAULT 0, PRIMARY"
                + " KEY (name))"
                + " ENGINE=InnoDB");
        execute("INSERT INTO sequence VALUES ('photos', 1000)");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("DROP TABLE IF EXISTS sequence, distributedid");
    }

    @Test
    void itIsServedAsItIs() throws SQLException {
        try (DistributedIds ids = open()) {
            assertThat(ids.next("photos")).isEqualTo(1001);
            long foreign = foreignClient();
            assertThat(foreign).isGreaterThan(1001);
            assertThat(ids.next("photos")).isEqualTo(1002);
            assertThat(ids.next("albums")).isEqualTo(1);
        }
    }

    @Test
    void aCounterAboveTheRangeOfLongIsRefused() throws SQLException {
        execute("UPDATE sequence SET id = 9223372036854775808 WHERE name = 'photos'");

        try (DistributedIds ids = open()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageStartingWith("The counter is at the end of its column: table=sequence name=photos on ")
                    .hasMessageContaining("Give the sequence another table");
        }
    }

    private DistributedIds open() {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                server.jdbcUrl(SCHEMA),
                "distributedid.create_tables",
                true));
    }

    private long foreignClient() throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE sequence SET id = LAST_INSERT_ID(id + 1) WHERE name = 'photos'");
            try (ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
