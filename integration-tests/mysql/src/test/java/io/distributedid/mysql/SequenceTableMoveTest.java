package io.distributedid.mysql;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.distributedid.testkit.SequenceTableMoveContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;

class SequenceTableMoveTest extends SequenceTableMoveContract {

    private static final List<String> SCHEMAS = List.of("move1", "move2", "move3", "move4");

    @AfterEach
    void drop() throws SQLException {
        for (String schema : SCHEMAS) {
            try (Connection connection = MySqlServers.shard(0).connect(schema);
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP DATABASE " + schema);
            }
        }
    }

    @Override
    protected List<DataSource> servers() {
        return SCHEMAS.stream().map(SequenceTableMoveTest::server).toList();
    }

    private static DataSource server(String schema) {
        MysqlDataSource server = new MysqlDataSource();
        server.setUrl(MySqlServers.shard(0).jdbcUrl(schema));
        return server;
    }
}
