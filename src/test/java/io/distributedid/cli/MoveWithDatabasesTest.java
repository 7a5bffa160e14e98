package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.JdbcUrl;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sequence moves while the databases of its entities remember its place. No id is repeated. */
@Tag("slow")
class MoveWithDatabasesTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @TempDir
    Path folder;

    private final List<Long> given = new ArrayList<>();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_ids", "cli_app", "cli_app2", "cli_copy");
    }

    private static Map<String, String> settings(String table) {
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

    private static String[] options(String table) {
        return options(settings(table));
    }

    private static String[] options(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
    }

    private String from(String table) throws IOException {
        return from(table, settings(table));
    }

    private String from(String name, Map<String, String> settings) throws IOException {
        Path file = folder.resolve(name + ".properties");
        Files.write(
                file,
                settings.entrySet().stream()
                        .map(setting ->
                                setting.getKey() + "=" + setting.getValue().replace("\\", "\\\\"))
                        .toList());
        return "--from=" + file;
    }

    private void persist(String database, String table) {
        persistWith(database, settings(table));
    }

    private void persistWith(String database, Map<String, String> settings) {
        try (SessionFactory factory = factory(database, settings)) {
            persist(factory);
        }
    }

    private void persist(SessionFactory factory) {
        for (int i = 0; i < 50; i++) {
            Photo photo = new Photo();
            factory.inTransaction(session -> session.persist(photo));
            given.add(photo.id);
        }
    }

    private static SessionFactory factory(String database, Map<String, String> settings) {
        org.hibernate.cfg.Configuration configuration = new org.hibernate.cfg.Configuration();
        settings.forEach(configuration::setProperty);
        return configuration
                .addAnnotatedClass(Photo.class)
                .setProperty("hibernate.connection.url", url(database))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.existing_ids", "raise")
                .buildSessionFactory();
    }

    private static String token(String database) throws SQLException {
        return token(database, "photos");
    }

    private static String token(String database, String sequence) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(database))) {
            return new RememberedPlaces(connection, Optional.empty(), database)
                    .token(sequence)
                    .orElseThrow();
        }
    }

    private static void remember(String database, String sequence, String token) {
        try (Connection connection = DriverManager.getConnection(url(database))) {
            Map<String, IdSpace> spaces = Map.of(sequence, new IdSpace(sequence, token, false));
            new RememberedPlaces(connection, Optional.empty(), database).check(spaces);
            assertThat(token(database, sequence)).isEqualTo(token);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Run move(String table, String more, String... databases) {
        return move(table, List.of(more), databases);
    }

    private static Run move(String table, List<String> more, String... databases) {
        List<String> command = new ArrayList<>(List.of("move", "photos", "--yes"));
        command.addAll(more);
        for (String database : databases) {
            command.add("--database=" + url(database));
        }
        return Run.of(arguments(options(table), command.toArray(String[]::new)));
    }

    /** As the error of the start says. */
    @Test
    void allShardsLearnAnotherTableAndTheOldOneEnds() throws Exception {
        persist("cli_app", "tickets");
        persist("cli_app2", "tickets");
        try (DistributedIds running = DistributedIds.create(settings("tickets"))) {
            given.add(running.next("photos"));
            assertThatThrownBy(() -> persist("cli_app", "tickets2"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence takes its ids from another place than before: seq=photos")
                    .hasMessageContaining("distributedid move photos --from OLD.properties --database URL");

            Run run = move("tickets2", from("tickets"), "cli_app", "cli_app2");

            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            given.add(running.next("photos"));
                        }
                    })
                    .hasMessageContaining("The counters were moved away");
        }
        persist("cli_app", "tickets2");
        persist("cli_app2", "tickets2");
        assertThat(given).doesNotHaveDuplicates();
        assertThat(Run.of(arguments(options("tickets"), "next", "photos")).err())
                .startsWith("The counters were moved away: table=tickets on jdbc:h2:mem:cli_ids");
        assertThatThrownBy(() -> persist("cli_app", "tickets")).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void itMayBeRepeated() throws Exception {
        persist("cli_app", "tickets");
        Run first = move("tickets2", from("tickets"), "cli_app");
        persist("cli_app", "tickets2");

        Run second = move("tickets2", from("tickets"), "cli_app");

        assertThat(first.exitCode()).isZero();
        assertThat(second.exitCode()).isZero();
        persist("cli_app", "tickets2");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aPlaceToWhichItWasMovedSinceIsNotPassedOver() throws Exception {
        persist("cli_app", "tickets");
        assertThat(move("tickets2", from("tickets"), "cli_app").exitCode()).isZero();
        try (SessionFactory running = factory("cli_app", settings("tickets2"))) {
            persist(running);

            Run run = move("tickets3", from("tickets"), "cli_app");

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).startsWith("The counters were moved away: table=tickets on jdbc:h2:mem:cli_ids");
            persist(running);
            assertThatThrownBy(() -> persist("cli_app", "tickets3")).isInstanceOf(IdConfigurationException.class);
        }
        assertThat(move("tickets3", from("tickets2"), "cli_app").exitCode()).isZero();
        persist("cli_app", "tickets3");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void shardsWithPlacesOfTheirOwnAreMergedAboveTheIdsOfBoth() throws Exception {
        persist("cli_app", "tickets");
        for (int i = 0; i < 4; i++) {
            persist("cli_app2", "tickets2");
        }
        String[] both = {"cli_app", "cli_app2"};
        String second = token("cli_app2");

        Run one = move("tickets3", from("tickets"), both);

        assertThat(one.exitCode()).isEqualTo(2);
        assertThat(one.out()).isEmpty();
        assertThat(one.err())
                .startsWith("The servers must belong to one id space")
                .contains("token=" + second);
        persist("cli_app", "tickets");
        persist("cli_app2", "tickets2");
        long largest = given.stream().mapToLong(Long::longValue).max().orElseThrow();
        Run all = move("tickets3", List.of(from("tickets"), from("tickets2")), both);
        assertThat(all.err()).isEmpty();
        assertThat(all.exitCode()).isZero();
        given.clear();
        persist("cli_app", "tickets3");
        persist("cli_app2", "tickets3");
        assertThat(given).doesNotHaveDuplicates().allMatch(id -> id > largest);
        assertThatThrownBy(() -> persist("cli_app2", "tickets2")).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void aPlaceThatHadMovedBeforeIsMergedToo() throws Exception {
        persist("cli_app", "tickets");
        for (int i = 0; i < 4; i++) {
            persist("cli_app2", "tickets2");
        }
        long largest = given.stream().mapToLong(Long::longValue).max().orElseThrow();
        assertThat(move("tickets3", from("tickets"), "cli_app").exitCode()).isZero();
        given.clear();
        persist("cli_app", "tickets3");

        Run run = move("tickets3", List.of(from("tickets"), from("tickets2")), "cli_app", "cli_app2");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(token("cli_app2")).isEqualTo(token("cli_app"));
        persist("cli_app2", "tickets3");
        assertThat(given).doesNotHaveDuplicates();
        assertThat(given.subList(50, 100)).allMatch(id -> id > largest);
    }

    @Test
    void aPlaceThatIsNamedTwiceDoesNotEnd() throws Exception {
        persist("cli_app", "tickets");

        Run run = move("tickets2", List.of(from("tickets"), from("again", settings("tickets"))), "cli_app");

        assertThat(run.err()).startsWith("A place is named twice: table=tickets on jdbc:h2:mem:cli_ids");
        persist("cli_app", "tickets");
    }

    @Test
    void aTokenThatSomebodyElseChangedMeanwhileIsKept() throws Exception {
        for (Optional<String> before : List.of(Optional.<String>empty(), Optional.of("old"))) {
            execute("cli_app", "DROP ALL OBJECTS");
            before.ifPresent(token -> remember("cli_app", "photos", token));
            JdbcUrl url = new JdbcUrl(url("cli_app"), JdbcUrl.credentials(null, null));
            try (EntityDatabase database = EntityDatabase.connect(url, Optional.empty(), "photos")) {
                assertThat(database.read()).isEqualTo(before);
                database.prepare();
                execute("cli_app", "DELETE FROM distributedid");
                remember("cli_app", "photos", "other");

                assertThatThrownBy(() -> database.replace(Set.of("old"), "new", true))
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageStartingWith("Somebody else changed what a database remembers: jdbc:h2:mem:cli_app"
                                + " seq=photos token=other, new token=new. Repeat the command");
                assertThat(database.read()).contains("other");
                database.replace(Set.of("other"), "new", true);
                assertThat(database.read()).contains("new");
            }
        }
    }

    @Test
    void aServerThatDoesNotAnswerLeavesAllPlacesAsTheyWere() throws Exception {
        persist("cli_app", "tickets");
        H2Servers dead = H2Servers.start();
        Map<String, String> gone = new HashMap<>(settings("tickets"));
        gone.put("distributedid.ticket.servers", dead.url("cli_gone"));
        String lost = dead.url("cli_gone");
        dead.close();

        Run run = move("tickets2", List.of(from("gone", gone), from("tickets")), "cli_app");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("All servers must answer: ").contains(", server=jdbc:h2:tcp://localhost:");
        Run database = move("tickets2", List.of(from("tickets"), "--database=" + url("cli_app"), "--database=" + lost));
        assertThat(database.exitCode()).isEqualTo(1);
        assertThat(database.err()).startsWith("A database of the entities does not answer: jdbc:h2:tcp://localhost:");
        assertThat(move("tickets2", List.of(from("tickets"), "--database-user=no"), "cli_app")
                        .err())
                .startsWith("A database of the entities refuses the login: jdbc:h2:mem:cli_app said: Wrong user name");
        persist("cli_app", "tickets");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aRestoredCopyTakesItsIdsFromCountersOfItsOwn() throws Exception {
        persist("cli_app", "tickets");
        execute("cli_copy", "CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        remember("cli_copy", "photos", token("cli_app"));
        assertThatThrownBy(() -> persist("cli_copy", "tickets2"))
                .hasMessageContaining(
                        "or the database is a copy: distributedid move photos --new-space --above <largest"
                                + " id in use> --database URL");
        assertThat(move("tickets2", "--new-space", "cli_copy").err())
                .startsWith("Who begins anew must say above which id: photos --above=0, allowed: the largest id in");

        Run run = move("tickets2", List.of("--new-space", "--above=1000"), "cli_copy");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        persist("cli_copy", "tickets2");
        assertThat(given.get(given.size() - 1)).isGreaterThan(1000);
        persist("cli_app", "tickets");
        assertThatThrownBy(() -> persist("cli_copy", "tickets")).isInstanceOf(IdConfigurationException.class);
        assertThatThrownBy(() -> persist("cli_app", "tickets2")).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void theTablesMayHaveASchemaOfTheirOwn() throws Exception {
        execute("cli_app", "CREATE SCHEMA photos");
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));

        Run run = move("tickets2", List.of(from("tickets"), "--schema=photos"), "cli_app");

        assertThat(run.exitCode()).isZero();
        assertThat(number("cli_app", "SELECT COUNT(*) FROM photos.distributedid WHERE name = '@place/photos'"))
                .isEqualTo(1);
        assertThat(move("tickets2", List.of(from("tickets"), "--schema=a b"), "cli_app")
                        .err())
                .startsWith("A schema must have a plain name: schema=a b");
    }

    @Test
    void aUserWithoutTheRightIsRefusedAndNoPasswordPrinted() throws Exception {
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));
        execute("cli_app", "CREATE USER app PASSWORD 'top-secret'");
        Map<String, String> environment = Map.of("DISTRIBUTEDID_DATABASE_PASSWORD", "top-secret");
        String[] command = arguments(
                options("tickets2"),
                "move",
                "photos",
                "--yes",
                from("tickets"),
                "--database=jdbc:h2:mem:cli_app",
                "--database-user=app");

        Run run = Run.with(environment, command);

        assertThat(run.err())
                .startsWith(
                        "The ledger beside the ids is missing: table=distributedid on jdbc:h2:mem:cli_app. Create it: ")
                .doesNotContain("secret");
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));
        execute("cli_app", "ALTER USER app ADMIN TRUE");
        assertThat(Run.with(environment, command).exitCode()).isZero();
    }

    private static Map<String, String> leasing(String database) {
        return Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.snowflake.lease.server",
                url(database),
                "distributedid.create_tables",
                "true");
    }

    /** As the error of the start says, once all processes with the old store are gone. */
    @Test
    void aStoreOfWorkerNumbersCountsForItself() throws Exception {
        persistWith("cli_app", leasing("cli_ids"));
        assertThatThrownBy(() -> persistWith("cli_app", leasing("cli_copy")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid move photos --new-space --database URL");

        Run run = Run.of(arguments(
                options(leasing("cli_copy")), "move", "photos", "--new-space", "--database=" + url("cli_app")));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        persistWith("cli_app", leasing("cli_copy"));
        assertThat(given).doesNotHaveDuplicates();
        assertThat(move("tickets", from("leased", leasing("cli_copy")), "cli_app")
                        .err())
                .startsWith("A place of worker numbers does not end, and has no counter: seq=photos");
        assertThat(Run.of(
                                "move",
                                "photos",
                                "--new-space",
                                "-Ddistributedid.backend=snowflake",
                                "-Ddistributedid.snowflake.worker=7")
                        .err())
                .startsWith("Only a sequence that counts, or whose worker numbers are leased, has a place: seq=photos");
    }

    @Test
    void aTableOfCountersIsMovedToAnotherBackendOneSequenceAfterTheOther() throws Exception {
        Map<String, String> old = Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", url("cli_ids"),
                "distributedid.create_tables", "true");
        persistWith("cli_app", old);
        List<Long> users = ids(Run.of(arguments(options(old), "next", "users", "--count=300")));
        remember("cli_app", "users", token("cli_app"));
        Map<String, String> own = new HashMap<>(settings("tickets"));
        own.put("distributedid.seq.users.ticket.table", "user_tickets");
        for (String sequence : List.of("photos", "users")) {
            String[] command = arguments(
                    options(own), "move", sequence, "--yes", from("old", old), "--database=" + url("cli_app"));

            assertThat(Run.of(arguments(new String[] {"--dry-run"}, command)).err())
                    .isEmpty();
            Run run = Run.of(command);

            assertThat(run.err()).isEmpty();
            assertThat(run.out()).contains("The other counters of its table have ended: move each of them too.");
        }
        persistWith("cli_app", own);
        assertThat(given).doesNotHaveDuplicates();
        assertThat(ids(Run.of(arguments(options(own), "next", "users", "--count=300"))))
                .doesNotContainAnyElementsOf(users);
        assertThat(token("cli_app", "users")).isNotEqualTo(token("cli_app"));
        assertThat(Run.of(arguments(options(old), "next", "users")).err()).startsWith("The counters were moved away");
    }

    @Test
    void aCounterThatEndedSaysWhatItsIdsLieBelow() throws Exception {
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));

        Run dry = Run.of(arguments(options("tickets"), "move", "photos", "--end", "--dry-run"));
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));
        Run run = move("tickets", "--end");

        assertThat(dry.out())
                .isEqualTo("This move ends the old place: clients with its settings get no more ids.\n"
                        + "Dry run: nothing was changed.\n");
        assertThat(run.exitCode()).isZero();
        long last = Long.parseLong(run.out().replaceAll("(?s).*photos +(\\d+)\n.*", "$1"));
        assertThat(given).allMatch(id -> id <= last);
        assertThat(run.out())
                .endsWith("The counter of photos has ended, as have all others of its table. Its ids lie at or below"
                        + " the one above.\n");
        try (DistributedIds next = DistributedIds.create(settings("tickets2"))) {
            next.raiseAbove("photos", last);
        }
        given.addAll(ids(Run.of(arguments(options("tickets2"), "next", "photos", "--count=7"))));
        assertThat(given).doesNotHaveDuplicates();
        assertThat(Run.of(arguments(options("tickets"), "repair", "photos")).err())
                .startsWith("The counters were moved away: table=tickets on jdbc:h2:mem:cli_ids");
        assertThat(Run.of(arguments(options("tickets"), "next", "users")).err())
                .as("a sequence of the same table")
                .startsWith("The counters were moved away");
    }

    @Test
    void aPlaceThatMayHaveLostIdsDoesNotEnd() throws SQLException {
        ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7")));
        execute("cli_ids", "DELETE FROM tickets");

        Run run = move("tickets", "--end");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("A counter went back and may give ids again: table=tickets");
        assertThat(number("cli_ids", "SELECT COUNT(*) FROM distributedid WHERE state = 'OPEN'"))
                .isPositive();
    }
}
