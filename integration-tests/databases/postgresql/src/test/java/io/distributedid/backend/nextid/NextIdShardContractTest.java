package io.distributedid.backend.nextid;

import io.distributedid.postgresql.Postgres;
import io.distributedid.testkit.ShardContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Two processes that write to the same shard are told apart by the shard's own sequence. */
class NextIdShardContractTest extends ShardContract {

    private static final String DATABASE = "many_shards";

    /** More schemas take the server half a minute: {@code -Dshards=2000}, as in profile versions. */
    private static final int SHARDS = Integer.getInteger("shards", 100);

    private static final Map<String, String> SETTINGS = Map.of("distributedid.backend", "next_id");

    @BeforeAll
    static void createShards() throws SQLException {
        execute(Postgres.url(), "CREATE DATABASE " + DATABASE);
        try (Connection connection = DriverManager.getConnection(Postgres.url(DATABASE));
                Statement statement = connection.createStatement()) {
            for (int shard = 0; shard < SHARDS; shard++) {
                statement.execute("CREATE SCHEMA shard_" + shard);
                NextIdSchema.create(connection, SETTINGS, "shard_" + shard, shard);
            }
        }
    }

    @AfterAll
    static void dropShards() throws SQLException {
        execute(Postgres.url(), "DROP DATABASE " + DATABASE);
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    protected Map<String, String> settings() {
        return SETTINGS;
    }

    @Override
    protected String url() {
        return Postgres.url(DATABASE);
    }

    @Override
    protected int shards() {
        return SHARDS;
    }

    /** A million take the server a minute of two processors: {@code -Dshards.ids=1000000}, as in profile versions. */
    @Override
    protected int ids() {
        return Integer.getInteger("shards.ids", 50_000);
    }

    /** Far more than a batch of 50 can run ahead, whose first number is random: a millisecond. */
    @Override
    protected Duration maxAhead() {
        return Duration.ofMillis(2);
    }
}
