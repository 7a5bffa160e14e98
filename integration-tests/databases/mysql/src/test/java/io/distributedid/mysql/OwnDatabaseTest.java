package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** The sequence table in the persistence unit's own MySQL database, by Hibernate's schema export. */
@Needs(Need.MYSQL)
class OwnDatabaseTest {

    private static final String SCHEMA = "own";

    /** The database remembers where the ids of a sequence come from. */
    private static final String WORKERS = "own_workers";

    @Test
    void theTableIsCreatedUpdatedValidatedAndNeverDropped() throws SQLException {
        assertThat(persistOne("create")).isEqualTo(1);
        assertThat(persistOne("update")).isEqualTo(2);
        assertThat(persistOne("validate")).isEqualTo(3);
        assertThat(idType()).isEqualTo("bigint unsigned");
        assertThat(persistOne("create-drop")).isEqualTo(4);
        assertThat(idType()).isEqualTo("bigint unsigned");
        assertThat(persistOne("create")).isEqualTo(5);
    }

    @Test
    void soIsTheTableOfWorkerNumbers() throws SQLException {
        Map<String, String> lease = Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.window",
                "1s",
                "distributedid.snowflake.lease.server",
                "application");
        assertThat(Stream.of("create", "update", "validate", "create-drop")
                        .map(mode -> persistOne(mode, WORKERS, lease))
                        .distinct())
                .hasSize(4);
        assertThat(type(WORKERS, "distributedid", "number")).isEqualTo("bigint");
    }

    private static long persistOne(String mode) {
        return persistOne(
                mode, SCHEMA, Map.of("distributedid.backend", "sequence_table", "distributedid.block.max", "1"));
    }

    private static long persistOne(String mode, String schema, Map<String, String> settings) {
        try (SessionFactory factory = new Configuration()
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", MySqlServers.shard(0).jdbcUrl(schema))
                .setProperty("hibernate.hbm2ddl.auto", mode)
                .addProperties(properties(settings))
                .buildSessionFactory()) {
            Photo photo = new Photo(1, "sunset");
            factory.inTransaction(session -> session.persist(photo));
            return photo.getId();
        }
    }

    private static Properties properties(Map<String, String> settings) {
        Properties properties = new Properties();
        properties.putAll(settings);
        return properties;
    }

    private static String idType() throws SQLException {
        return type(SCHEMA, "sequence", "id");
    }

    private static String type(String schema, String table, String column) throws SQLException {
        try (Connection connection = MySqlServers.shard(0).connect(schema);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT column_type FROM information_schema.columns WHERE table_schema = '" + schema
                                + "' AND table_name = '" + table + "' AND column_name = '" + column + "'")) {
            return row.next() ? row.getString(1) : "none";
        }
    }
}
