package shards;

import io.distributedid.backend.nextid.NextIdSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** Creates what a shard consists of. */
final class ShardSchema {

    private ShardSchema() {}

    static void create(Connection connection, Shard shard) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + shard.schema());
            NextIdSchema.create(connection, Map.of("distributedid.backend", "next_id"), shard.schema(), shard.number());
            // Rows that are inserted by SQL alone get keys of the same kind.
            statement.execute("""
                    CREATE TABLE %1$s.photo (
                        id BIGINT PRIMARY KEY DEFAULT %1$s.next_id(), user_id BIGINT NOT NULL, title TEXT)
                    """.formatted(shard.schema()));
        }
    }
}
