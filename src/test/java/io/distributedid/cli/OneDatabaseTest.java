package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.internal.registry.BackendSchemas;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One database holds entities, counters and places: one ledger has the rows of both, and neither disturbs the other.
 */
class OneDatabaseTest {

    private static final String APPLICATION = "cli_one";

    private static final String[] SETTINGS = {
        "-Ddistributedid.backend=sequence_table", "-Ddistributedid.sequence_table.servers=" + url(APPLICATION)
    };

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @Entity(name = "Album")
    static class Album {
        @Id
        @DistributedId(seq = "albums")
        Long id;
    }

    @TempDir
    Path folder;

    private final GivenIds given = new GivenIds();

    @BeforeEach
    void drop() throws SQLException {
        H2Servers.drop(APPLICATION, "cli_one_ids");
    }

    @AfterEach
    void end() throws SQLException {
        drop();
        given.assertNoneTwice();
    }

    /** Without servers, the counters lie in the entities' database. */
    private void persist(String... more) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Photo.class)
                .addAnnotatedClass(Album.class)
                .setProperty("hibernate.connection.url", url(APPLICATION))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.backend", "sequence_table");
        for (int i = 0; i < more.length; i += 2) {
            configuration.setProperty("distributedid." + more[i], more[i + 1]);
        }
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            for (int i = 0; i < 20; i++) {
                Photo photo = new Photo();
                factory.inTransaction(session -> {
                    session.persist(photo);
                    session.persist(new Album());
                });
                given.add(photo.id);
            }
        }
    }

    private static List<String> rows(String columns, String condition) throws SQLException {
        return DatabaseRows.rows(
                url(APPLICATION), "SELECT " + columns + " FROM distributedid WHERE " + condition + " ORDER BY name");
    }

    private static Run run(String... command) {
        return Run.of(arguments(SETTINGS, command));
    }

    @Test
    void theLedgerIsExportedOnce() {
        SchemaTarget target = new SchemaTarget(DatabaseProduct.H2, true, false, Optional.empty());
        for (String table : List.of("sequence", "ids")) {
            Settings settings = Settings.of(
                    Map.of("distributedid.backend", "sequence_table", "distributedid.sequence_table.table", table));

            assertThat(new BackendSchemas(settings).ofApplication(target, Set.of()))
                    .extracting(SchemaObject::name)
                    .containsExactly(table, "distributedid");
        }
    }

    @Test
    void checksAndCommandsOnCountersSeeNoPlaces() throws SQLException {
        persist();

        assertThat(rows("name", "1 = 1"))
                .containsExactly(
                        "@place/albums", "@place/photos", "@store", "sequence", "sequence/albums", "sequence/photos");
        Run check = run("check", "--seq=photos,albums");
        assertThat(check.exitCode()).isZero();
        assertThat(check.out()).contains(" 0 failed, 0 unknown").doesNotContain("@place");
        List<String> places = rows("version, text", "name LIKE '@%'");
        assertThat(run("repair", "photos", "--yes").out()).contains("The servers of photos are in line: ");
        assertThat(rows("version, text", "name LIKE '@%'")).isEqualTo(places);
        persist();
    }

    @Test
    void placesThatWereThereFirstAreNoLossOfCounters() throws SQLException {
        persist("sequence_table.servers", url("cli_one_ids"), "create_tables", "true");
        assertThat(rows("name", "1 = 1")).containsExactly("@place/albums", "@place/photos", "@store");

        try (DistributedIds ids = GivenIds.sequenceTable(url(APPLICATION))) {
            assertThat(ids.next("notes")).isEqualTo(1);
        }
        assertThat(run("check", "--seq=notes").exitCode()).isZero();
        persist("sequence_table.servers", url("cli_one_ids"));
    }

    @Test
    void countersThatWereThereFirstAreNoPlaces() throws SQLException {
        try (DistributedIds ids = GivenIds.sequenceTable(url(APPLICATION))) {
            given.take(ids, 30);
        }
        assertThat(rows("name", "1 = 1")).containsExactly("@store", "sequence", "sequence/photos");

        persist();

        assertThat(rows("name", "name LIKE '@%'")).containsExactly("@place/albums", "@place/photos", "@store");
    }

    @Test
    void aLostRowOfACounterIsNoticedBesidePlaces() throws SQLException {
        persist();
        execute(APPLICATION, "DELETE FROM distributedid WHERE name = 'sequence'");
        assertThatThrownBy(this::persist).hasMessageContaining("has no header in its ledger");

        execute(APPLICATION, "DELETE FROM distributedid WHERE name LIKE 'sequence%'");
        assertThatThrownBy(() -> persist("existing_ids", "raise"))
                .as("the table is taken over, and has another token than its place")
                .hasMessageContaining("A sequence takes its ids from a different place than before: seq=albums");
    }

    /** The places are lost with it. */
    @Test
    void aLostLedgerIsNoticedByTheIdsOfEntitiesOnly() throws SQLException {
        persist();
        execute(APPLICATION, "DROP TABLE distributedid");
        persist();

        execute(APPLICATION, "DROP TABLE distributedid", "DROP TABLE sequence");
        assertThatThrownBy(this::persist).hasMessageContaining("A counter would give ids that exist");
    }

    @Test
    void aMoveWithinTheDatabaseTakesAllCountersAndTheirPlacesAlong() throws Exception {
        persist();
        List<String> before = rows("text", "name LIKE '@place/%'");
        Path old = Files.write(
                folder.resolve("old.properties"),
                List.of(
                        "distributedid.backend=sequence_table",
                        "distributedid.sequence_table.servers=" + url(APPLICATION)));

        Run move = run(
                "move",
                "photos",
                "--yes",
                "--from=" + old,
                "-Ddistributedid.sequence_table.table=ids",
                "-Ddistributedid.create_tables=true",
                "--database=" + url(APPLICATION));

        assertThat(move.err()).isEmpty();
        assertThat(move.exitCode()).isZero();
        assertThat(rows("name", "name LIKE 'ids%'")).containsExactly("ids", "ids/albums", "ids/photos");
        assertThat(rows("text", "name LIKE '@place/%'")).hasSize(2).doesNotContainAnyElementsOf(before);
        assertThatThrownBy(this::persist).hasMessageContaining("The counters were moved away");
        persist("sequence_table.table", "ids", "existing_ids", "raise");
    }
}
