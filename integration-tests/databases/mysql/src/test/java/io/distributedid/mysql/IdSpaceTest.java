package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sequence whose counter gets another place, on real servers. */
@Needs(Need.MYSQL)
class IdSpaceTest {

    private static final String SCHEMA = "idspace";

    private final List<Long> given = new ArrayList<>();

    @BeforeEach
    void clean() throws SQLException {
        for (MySqlServer server : List.of(MySqlServers.odd(), MySqlServers.even(), MySqlServers.shard(0))) {
            try (Connection connection = server.connect("mysql");
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP DATABASE IF EXISTS " + SCHEMA);
                statement.execute("CREATE DATABASE " + SCHEMA);
            }
        }
    }

    /** What was refused has created its table, which gave no id. */
    @Test
    void aTableThatDiffersInCaseIsAnotherOneUntilTheCounterIsMoved() throws SQLException {
        Map<String, String> old = tickets("Tickets64");
        Map<String, String> now = tickets("tickets64");
        persist(old, 200);
        assertThatThrownBy(() -> persist(now, 1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A sequence takes its ids from a different place than before: seq=photos");

        try (DistributedIds running = DistributedIds.create(old);
                DistributedIds ids = DistributedIds.create(now);
                Connection entities = MySqlServers.shard(0).connect(SCHEMA)) {
            given.add(running.next("photos"));
            RememberedPlaces places = new RememberedPlaces(entities, Optional.empty(), "entities");
            String token = places.token("photos").orElseThrow();
            assertThatThrownBy(() -> ids.admin().move("photos", move(old, "another", next -> {})))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("has token=another");
            ids.admin().move("photos", move(old, token, next -> put(places, token, next)));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 50_000; i++) {
                            given.add(running.next("photos"));
                        }
                    })
                    .hasMessageContaining("The counters were moved away");
        }
        persist(now, 200);
        assertThat(given).doesNotHaveDuplicates();
        assertThatThrownBy(() -> persist(old, 1)).isInstanceOf(IdConfigurationException.class);
        assertThat(tables(MySqlServers.odd())).contains("Tickets64", "tickets64", "distributedid");
    }

    private static CounterMove move(Map<String, String> from, String token, Consumer<String> remember) {
        return new CounterMove(CounterMove.Kind.PLACE, List.of(from), 0, Set.of(token), false, highest -> {}, remember);
    }

    private static void put(RememberedPlaces places, String before, String token) {
        try {
            places.replace("photos", Set.of(before), token, other -> true);
            assertThat(places.token("photos")).contains(token);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aServerThatWasReplacedByAnEmptyOneIsRepaired() throws SQLException {
        Map<String, String> settings = tickets("Tickets64");
        take(settings, 5_000);
        try (Connection connection = MySqlServers.even().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE Tickets64, distributedid");
        }
        assertThatThrownBy(() -> take(settings, 1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid repair SEQ");

        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThat(ids.admin().repair("photos", 0)).isGreaterThan(20_000_000);
        }
        take(settings, 5_000);
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aDatabaseThatIsReadOnlyIsOnlyWarnedOf() throws SQLException {
        try (Connection connection = MySqlServers.shard(0).connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE Photo (id BIGINT PRIMARY KEY, owner INT, title VARCHAR(255))");
            statement.execute("CREATE USER IF NOT EXISTS reader@'%' IDENTIFIED BY 'reader'");
            statement.execute("GRANT ALL ON " + SCHEMA + ".* TO reader@'%'");
            statement.execute("SET GLOBAL read_only = ON");
            try (SessionFactory factory = configuration(tickets("Tickets64"))
                    .setProperty("hibernate.connection.username", "reader")
                    .setProperty("hibernate.connection.password", "reader")
                    .setProperty(
                            "hibernate.connection.url",
                            "jdbc:mysql://127.0.0.1:" + MySqlServers.shard(0).port() + "/" + SCHEMA
                                    + "?sslMode=DISABLED&allowPublicKeyRetrieval=true")
                    .setProperty("hibernate.hbm2ddl.auto", "none")
                    .buildSessionFactory()) {
                assertThat(factory.isOpen()).isTrue();
            } finally {
                statement.execute("SET GLOBAL read_only = OFF");
            }
        }
        assertThat(tables(MySqlServers.shard(0))).doesNotContain("distributedid");
    }

    private static Map<String, String> tickets(String table) {
        return Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                MySqlServers.odd().jdbcUrl(SCHEMA) + ", " + MySqlServers.even().jdbcUrl(SCHEMA),
                "distributedid.ticket.table",
                table,
                "distributedid.create_tables",
                "true",
                "distributedid.block.timeout",
                "2s");
    }

    private void persist(Map<String, String> settings, int count) {
        try (SessionFactory factory = configuration(settings).buildSessionFactory()) {
            for (int i = 0; i < count; i++) {
                Photo photo = new Photo(1, "sunset");
                factory.inTransaction(session -> session.persist(photo));
                given.add(photo.getId());
            }
        }
    }

    private static Configuration configuration(Map<String, String> settings) {
        Configuration configuration = new Configuration().addAnnotatedClass(Photo.class);
        new HashMap<>(settings).forEach(configuration::setProperty);
        return configuration
                .setProperty("hibernate.connection.url", MySqlServers.shard(0).jdbcUrl(SCHEMA))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.existing_ids", "raise");
    }

    private void take(Map<String, String> settings, int count) {
        try (DistributedIds ids = DistributedIds.create(settings)) {
            for (int i = 0; i < count; i++) {
                given.add(ids.next("photos"));
            }
        }
    }

    private static List<String> tables(MySqlServer server) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = server.connect(SCHEMA);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW TABLES")) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        return tables;
    }
}
