package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedId;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Applications whose photos get their ids from tickets, and the command that moves these. */
abstract class MovedPhotos {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @TempDir
    Path folder;

    final List<Long> given = new ArrayList<>();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_ids", "cli_app", "cli_app2", "cli_copy");
    }

    static Map<String, String> settings(String table) {
        return Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.numbering",
                "client",
                "distributedid.ticket.servers",
                url("cli_ids"),
                "distributedid.ticket.table",
                table,
                "distributedid.create_tables",
                "true",
                "distributedid.block.max",
                "7",
                "distributedid.block.timeout",
                "2s");
    }

    static String[] options(String table) {
        return options(settings(table));
    }

    static String[] options(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
    }

    String from(String table) throws IOException {
        return from(table, settings(table));
    }

    String from(String name, Map<String, String> settings) throws IOException {
        Path file = folder.resolve(name + ".properties");
        Files.write(
                file,
                settings.entrySet().stream()
                        .map(setting ->
                                setting.getKey() + "=" + setting.getValue().replace("\\", "\\\\"))
                        .toList());
        return "--from=" + file;
    }

    void persist(String database, String table) {
        persistWith(database, settings(table));
    }

    void persistWith(String database, Map<String, String> settings) {
        try (SessionFactory factory = factory(database, settings)) {
            persist(factory);
        }
    }

    void persist(SessionFactory factory) {
        for (int i = 0; i < 50; i++) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            given.add(photo.id);
        }
    }

    static SessionFactory factory(String database, Map<String, String> settings) {
        org.hibernate.cfg.Configuration configuration = new org.hibernate.cfg.Configuration();
        configuration.setProperty("distributedid.existing_ids", "raise");
        settings.forEach(configuration::setProperty);
        return configuration
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", url(database))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .buildSessionFactory();
    }

    static String token(String database) throws SQLException {
        return token(database, "photos");
    }

    static String token(String database, String sequence) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(database))) {
            return new RememberedPlaces(connection, Optional.empty(), database)
                    .token(sequence)
                    .orElseThrow();
        }
    }

    static void remember(String database, String sequence, String token) {
        try (Connection connection = DriverManager.getConnection(url(database))) {
            Map<String, IdSpace> spaces = Map.of(sequence, new IdSpace(sequence, token, false));
            new RememberedPlaces(connection, Optional.empty(), database).check(spaces);
            assertThat(token(database, sequence)).isEqualTo(token);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    static Run move(String table, String more, String... databases) {
        return move(table, List.of(more), databases);
    }

    static Run move(String table, List<String> more, String... databases) {
        List<String> command = new ArrayList<>(List.of("move", "photos", "--yes"));
        command.addAll(more);
        for (String database : databases) {
            command.add("--database=" + url(database));
        }
        return Run.of(arguments(options(table), command.toArray(String[]::new)));
    }
}
