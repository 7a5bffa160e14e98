package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two applications with eight threads each persist 16,000 photos on two shards, while servers of ids are killed and
 * come back.
 *
 * <p>{@code -Duploads.photos=1000000} makes the run longer.
 */
@Needs(Need.MYSQL)
class ShardedUploadTest {

    private static final int PHOTOS = Integer.getInteger("uploads.photos", 16_000);

    private static final int APPLICATIONS = 2;

    private static final int THREADS = 8;

    private static final String SCHEMA = "photos";

    @BeforeEach
    void emptyShards() throws SQLException {
        for (int shard = 0; shard < 2; shard++) {
            try (Connection connection = MySqlServers.shard(shard).connect(SCHEMA);
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE IF EXISTS Photo, distributedid");
                statement.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY, owner INT NOT NULL, title VARCHAR(255))");
            }
        }
    }

    @Test
    void noKeyTwiceAndNoFailureWhenTicketServersDieInTurn() throws Exception {
        MySqlServer odd = MySqlServers.odd();
        MySqlServer even = MySqlServers.even();
        Map<String, String> tickets = Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", odd.jdbcUrl("upload_tickets") + ", " + even.jdbcUrl("upload_tickets"),
                "distributedid.create_tables", "true");

        upload((application, shard) -> tickets, List.of(odd::kill9, odd::restart, even::kill9, even::restart));
    }

    @Test
    void noKeyTwiceAndNoFailureWhenTheServerOfTheSequenceTableDiesAndComesBack() throws Exception {
        MySqlServer server = MySqlServers.odd();
        Map<String, String> sequences = Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", server.jdbcUrl("sequences"),
                "distributedid.create_tables", "true");

        upload((application, shard) -> sequences, List.of(() -> {
            server.kill9();
            server.restart();
        }));
    }

    @Test
    void noKeyTwiceWithOneSnowflakeWorkerForEachPersistenceUnitOfEachApplication() throws Exception {
        upload(
                (application, shard) -> Map.of(
                        "distributedid.backend",
                        "snowflake",
                        "distributedid.snowflake.worker",
                        Integer.toString(2 * application + shard)),
                List.of());
    }

    /**
     * Runs the applications with the settings of each application and shard; the faults are spread evenly over the
     * upload.
     */
    private static void upload(BiFunction<Integer, Integer, Map<String, String>> settings, List<Runnable> faults)
            throws Exception {
        try (Uploads uploads = new Uploads()) {
            for (int application = 0; application < APPLICATIONS; application++) {
                uploads.start(
                        PHOTOS / APPLICATIONS,
                        THREADS,
                        List.of(shard(0, settings.apply(application, 0)), shard(1, settings.apply(application, 1))));
            }
            for (int fault = 0; fault < faults.size(); fault++) {
                uploads.awaitPhotos(PHOTOS / (faults.size() + 1) * (fault + 1));
                faults.get(fault).run();
            }
            uploads.end();
        }
        long[] ids = ids();
        assertThat(ids).hasSize(PHOTOS);
        assertThat(LongStream.of(ids).distinct().count()).as("distinct keys").isEqualTo(PHOTOS);
    }

    private static Map<String, String> shard(int shard, Map<String, String> ids) {
        Map<String, String> settings = new HashMap<>(ids);
        settings.put("hibernate.connection.url", MySqlServers.shard(shard).jdbcUrl(SCHEMA));
        settings.put("hibernate.connection.pool_size", Integer.toString(THREADS));
        return settings;
    }

    private static long[] ids() throws SQLException {
        LongStream.Builder ids = LongStream.builder();
        for (int shard = 0; shard < 2; shard++) {
            try (Connection connection = MySqlServers.shard(shard).connect(SCHEMA);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT id FROM Photo")) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
        }
        return ids.build().toArray();
    }
}
