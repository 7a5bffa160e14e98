package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.IdForm;
import io.distributedid.internal.existing.StartIds;
import io.distributedid.testkit.ExistingRowsContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Needs(Need.MYSQL)
class ExistingRowsTest extends ExistingRowsContract {

    @Override
    protected String url(String schema) {
        return MySqlServers.shard(0).jdbcUrl(schema);
    }

    @Override
    protected List<String> lock(String table) {
        return List.of("LOCK TABLES " + table + " WRITE");
    }

    @Override
    protected List<String> limitOfSession() {
        return List.of("SET SESSION max_execution_time = 7000", "SELECT @@SESSION.max_execution_time");
    }

    @Test
    void aServerThatHangsEndsTheLook() throws SQLException {
        MySqlServer server = MySqlServers.workers();
        try (Connection connection = server.connect("hung");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE parcel (id BIGINT PRIMARY KEY)");
            assertThat(read(connection).ids()).isEmpty();
            server.pause();
            try {
                assertThat(read(connection).gap())
                        .isEqualTo("the database did not answer within 2000 ms (distributedid.existing_ids_timeout)");
            } finally {
                server.resume();
            }
            assertThat(connection.isClosed()).isTrue();
        }
    }

    private static StartIds.Found read(Connection connection) throws SQLException {
        IdColumn column = new IdColumn("parcel", "id", IdForm.DECIMAL, 1, 0);
        return new StartIds(connection)
                .read(Map.of(column, Duration.ofSeconds(2)))
                .get(column);
    }
}
