package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the page "The cut-over", from AUTO_INCREMENT on two shards, while the application inserts rows. */
@Needs(Need.MYSQL)
class CutOverTest {

    private static final String SCHEMA = "app";

    private static final int PHOTOS = 600;

    @TempDir
    Path folder;

    private final List<MySqlServer> shards = new ArrayList<>();

    private final List<MySqlServer> tickets = List.of(MySqlServers.odd(), MySqlServers.even());

    @AfterEach
    void numberAsBefore() throws SQLException {
        for (int i = 1; i <= 2; i++) {
            TicketPair.number(tickets.get(i - 1), 2, i);
        }
    }

    @BeforeEach
    void startServers() throws SQLException {
        for (int i = 1; i <= 2; i++) {
            shards.add(MySqlServer.start(folder.resolve("shard" + i), "--performance-schema=ON"));
            TicketPair.number(tickets.get(i - 1), 10, i);
        }
        for (MySqlServer shard : shards) {
            execute(
                    shard,
                    "CREATE TABLE Photo (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, owner INT NOT NULL,"
                            + " title VARCHAR(255))");
        }
    }

    @Test
    void aRollingDeploymentGivesNoIdTwiceAndFailsNoInsert() throws Exception {
        try (NumberedInserts first = NumberedInserts.start(shards, SCHEMA);
                NumberedInserts second = NumberedInserts.start(shards, SCHEMA)) {
            keepApart();
            first.end();
            Await.until("only the second instance has old sessions", () -> oldSessions() == 2, this::oldSessions);
            try (NumberedInserts restarted = NumberedInserts.start(shards, SCHEMA)) {
                second.end();
                Await.until("no session is old", () -> oldSessions() == 0, this::oldSessions);
                try (NumberedInserts last = NumberedInserts.start(shards, SCHEMA)) {
                    Set<Long> before = new HashSet<>(ids());
                    raise();
                    deploy(restarted, last);
                    List<Long> added = ids();
                    added.removeAll(before);
                    assertThat(added).hasSizeGreaterThan(2 * PHOTOS).doesNotHaveDuplicates();
                }
            }
        }
        for (MySqlServer shard : shards) {
            execute(shard, statements("end"));
            assertThatThrownBy(() -> execute(shard, "INSERT INTO Photo (owner, title) VALUES (0, 'old')"))
                    .hasMessageContaining("doesn't have a default value");
        }
    }

    private void keepApart() throws SQLException, IOException {
        String[] first = statements("keep-apart");
        execute(shards.get(0), first);
        execute(shards.get(1), first[0], first[1].replace("= 9", "= 10"));
    }

    private int oldSessions() throws SQLException, IOException {
        int found = 0;
        for (MySqlServer shard : shards) {
            try (Connection connection = shard.connect(SCHEMA);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(statements("old-sessions")[0])) {
                while (row.next()) {
                    found++;
                }
            }
        }
        return found;
    }

    private void raise() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings())) {
            ids.admin()
                    .raise(
                            "photos",
                            shards.stream().map(CutOverTest::dataSource).toList(),
                            "Photo",
                            "id");
        }
    }

    private static DataSource dataSource(MySqlServer shard) {
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(shard.jdbcUrl(SCHEMA));
        return source;
    }

    /** One new instance after the other, and beside the last old one for a while. */
    private void deploy(NumberedInserts first, NumberedInserts last) throws Exception {
        try (Uploads uploads = new Uploads()) {
            uploads.start(PHOTOS, 2, List.of(shardSettings(0), shardSettings(1)));
            uploads.awaitPhotos(PHOTOS / 4);
            first.awaitMore();
            first.end();
            uploads.start(PHOTOS, 2, List.of(shardSettings(0), shardSettings(1)));
            uploads.awaitPhotos(PHOTOS);
            last.awaitMore();
            last.end();
            uploads.end();
        }
    }

    private Map<String, String> settings() {
        return Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                tickets.get(0).jdbcUrl("cut_over") + ", " + tickets.get(1).jdbcUrl("cut_over"),
                "distributedid.create_tables",
                "true");
    }

    private Map<String, String> shardSettings(int shard) {
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("hibernate.connection.url", shards.get(shard).jdbcUrl(SCHEMA));
        settings.put("hibernate.connection.pool_size", "4");
        return settings;
    }

    private List<Long> ids() throws SQLException {
        List<Long> ids = new ArrayList<>();
        for (MySqlServer shard : shards) {
            try (Connection connection = shard.connect(SCHEMA);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT id FROM Photo")) {
                while (row.next()) {
                    ids.add(row.getLong(1));
                }
            }
        }
        return ids;
    }

    /** The statements of a file, which the page quotes. */
    private static String[] statements(String name) throws IOException {
        try (InputStream file = CutOverTest.class.getResourceAsStream("/cut-over/" + name + ".sql")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split(";\\s*");
        }
    }

    private static void execute(MySqlServer server, String... statements) throws SQLException {
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
