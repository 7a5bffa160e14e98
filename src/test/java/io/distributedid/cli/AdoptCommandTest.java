package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.place.SequenceTokens;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sequence moves to another place. The old place gives no more ids, and no id is repeated. */
@Tag("slow")
class AdoptCommandTest {

    private static final String[] TABLES = List.of("tickets", "tickets2").stream()
            .map(table -> Map.of("distributedid.backend", "ticket", "distributedid.ticket.table", table))
            .flatMap(settings -> DistributedIds.ddl(settings, "h2").stream())
            .toArray(String[]::new);

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    @TempDir
    Path folder;

    private final List<Long> given = new ArrayList<>();

    @BeforeEach
    void create() throws SQLException {
        execute("cli_ids", TABLES);
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_ids", "cli_app", "cli_app2", "cli_copy", "cli_own");
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

    private String old(String table) throws IOException {
        Path file = folder.resolve(table + ".properties");
        Files.write(
                file,
                settings(table).entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());
        return "--retire=" + file;
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

    @Test
    void aTableIsMovedAndNotRetired() throws Exception {
        persist("cli_app", "tickets");
        assertThatThrownBy(() -> persist("cli_app", "tickets2"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A sequence takes its ids from another place than before: seq=photos")
                .hasMessageContaining("distributedid move photos --from OLD.properties --database URL");

        Run adopt = adopt("tickets2", old("tickets"), "cli_app");
        Run retire = Run.of(arguments(options("tickets"), "retire", "photos"));

        for (Run run : new Run[] {adopt, retire}) {
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .startsWith("A counter on the ledger ends by moving: seq=photos table=tickets. To another table or"
                            + " to other servers: distributedid move photos");
        }
        persist("cli_app", "tickets");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void anEmptyPlaceIsAdoptedOnlyAboveTheIdsInUse() throws Exception {
        persist("cli_app", "tickets");
        String before = token("cli_app");
        assertThatThrownBy(() -> persist("cli_app", "tickets2")).isInstanceOf(IdConfigurationException.class);

        Run run = Run.of(arguments(options("tickets2"), "adopt", "photos", "--database=" + url("cli_app")));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("A place that has given no id must begin above those in use: jdbc:h2:mem:cli_app holds"
                        + " ids of token=" + before)
                .contains("--above <the largest id in use>", "--retire");
        assertThat(token("cli_app")).isEqualTo(before);
        assertThat(adopt("tickets2", "--above=50", "cli_app").exitCode()).isZero();
        persist("cli_app", "tickets2");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aCounterThatIsInUseIsAdoptedAsItIs() throws Exception {
        persist("cli_app", "tickets");
        Run other = Run.of(arguments(options("tickets2"), "next", "photos", "--count=7"));

        assertThat(other.exitCode()).isZero();
        assertThat(adopt("tickets2", "--above=0", "cli_app").exitCode()).isZero();
    }

    @Test
    void aTokenThatSomebodyElseChangedMeanwhileIsKept() throws Exception {
        for (String before : new String[] {"", "old"}) {
            execute("cli_app", "DROP ALL OBJECTS");
            SequenceTokens tokens = tokens("cli_app");
            if (!before.isEmpty()) {
                tokens.put("photos", before);
            }
            try (EntityDatabase database = entities("cli_app")) {
                assertThat(database.read().orElse("")).isEqualTo(before);
                tokens("cli_app").put("photos", "other");

                assertThatThrownBy(() -> database.adopt("new"))
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageStartingWith("Somebody else changed what a database remembers: jdbc:h2:mem:cli_app"
                                + " token=other, before token=" + (before.isEmpty() ? "none" : before)
                                + ", new token=new. Repeat the command");
                assertThat(token("cli_app")).isEqualTo("other");
                assertThat(database.read()).contains("other");
                database.adopt("new");
                assertThat(token("cli_app")).isEqualTo("new");
            }
        }
    }

    private static EntityDatabase entities(String database) throws InterruptedException {
        JdbcUrl url = new JdbcUrl(url(database), JdbcUrl.credentials(null, null));
        return EntityDatabase.connect(url, Optional.empty(), "photos");
    }

    @Test
    void anOldPlaceThatDoesNotAnswerEndsItBeforeAnythingIsRetired() throws Exception {
        persist("cli_app", "tickets");
        H2Servers dead = H2Servers.start();
        Path gone = folder.resolve("gone.properties");
        Files.writeString(
                gone,
                "distributedid.backend=ticket\ndistributedid.ticket.numbering=client\ndistributedid.ticket.servers="
                        + dead.url("cli_gone").replace("\\", "\\\\") + "\n");
        dead.close();

        Run run = adopt("tickets2", List.of(old("tickets"), "--retire=" + gone), "cli_app");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("All servers of a place that is retired must answer: --retire=" + gone
                        + ", jdbc:h2:tcp://localhost:");
        persist("cli_app", "tickets");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aPlaceOfWorkerNumbersIsNotRetired() throws Exception {
        persistWith("cli_app", leasing("cli_copy"));
        Path leased = folder.resolve("leased.properties");
        Files.write(
                leased,
                leasing("cli_copy").entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());

        Run run = adopt("tickets2", "--retire=" + leased, "cli_app");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("A place of worker numbers is not retired, it is moved: seq=photos");
    }

    @Test
    void aDatabaseThatDoesNotAnswerEndsItBeforeAnythingIsRetired() throws Exception {
        persist("cli_app", "tickets");
        H2Servers dead = H2Servers.start();
        String gone = dead.url("cli_gone");
        dead.close();
        Run run = Run.of(arguments(
                options("tickets2"),
                "adopt",
                "photos",
                old("tickets"),
                "--database=" + url("cli_app"),
                "--database=" + gone));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("A database of the entities does not answer: jdbc:h2:tcp://localhost:");
        assertThat(Run.of(arguments(
                                options("tickets"),
                                "adopt",
                                "photos",
                                "--database=" + url("cli_app"),
                                "--database-user=no"))
                        .err())
                .startsWith("A database of the entities refuses the login: jdbc:h2:mem:cli_app said: Wrong user name");
        persist("cli_app", "tickets");
    }

    @Test
    void thePlaceOfNowIsNotRetired() throws Exception {
        persist("cli_app", "tickets");

        Run run = adopt("tickets", old("tickets"), "cli_app");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("The old place and the new one are the same, or one is a copy of the other:");
        persist("cli_app", "tickets");
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aRestoredCopyTakesItsIdsFromCountersOfItsOwn() throws Exception {
        persist("cli_app", "tickets");
        execute("cli_copy", "CREATE TABLE Photo (id BIGINT PRIMARY KEY)");
        persistToken("cli_copy");
        assertThatThrownBy(() -> persist("cli_copy", "tickets2"))
                .hasMessageContaining("if the database is a copy: distributedid adopt photos --database URL");

        Run run = adopt("tickets2", "--above=1000", "cli_copy");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("All ids of photos from now on lie above 1000.");
        persist("cli_copy", "tickets2");
        assertThat(given.get(given.size() - 1)).isGreaterThan(1000);
        persist("cli_app", "tickets");
    }

    private static void persistToken(String database) throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings("tickets"));
                Connection connection = DriverManager.getConnection(url(database))) {
            ids.adopt("photos", connection);
        }
    }

    @Test
    void theTablesMayHaveASchemaOfTheirOwn() throws Exception {
        execute("cli_app", "CREATE SCHEMA photos");

        Run run = Run.of(
                arguments(options("tickets"), "adopt", "photos", "--database=" + url("cli_app"), "--schema=photos"));

        assertThat(run.exitCode()).isZero();
        assertThat(number("cli_app", "SELECT COUNT(*) FROM photos.distributedid_record WHERE counter = '@photos'"))
                .isEqualTo(1);
        assertThat(Run.of(arguments(
                                options("tickets"), "adopt", "photos", "--database=" + url("cli_app"), "--schema=a b"))
                        .err())
                .startsWith("A schema must have a plain name: schema=a b");
    }

    @Test
    void aUserWithoutTheRightIsRefusedAndNoPasswordPrinted() throws Exception {
        execute("cli_app", "CREATE USER app PASSWORD 'top-secret'");
        Map<String, String> environment = Map.of("DISTRIBUTEDID_DATABASE_PASSWORD", "top-secret");
        String[] command = arguments(
                options("tickets"), "adopt", "photos", "--database=jdbc:h2:mem:cli_app", "--database-user=app");

        Run run = Run.with(environment, command);

        assertThat(run.err())
                .contains("The database of the entities must have a table to remember where its ids come from")
                .contains("jdbc:h2:mem:cli_app table=distributedid_record")
                .doesNotContain("secret");
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
    void anotherStoreOfWorkerNumbersIsAdopted() {
        persistWith("cli_app", leasing("cli_ids"));
        assertThatThrownBy(() -> persistWith("cli_app", leasing("cli_copy")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid adopt photos");

        Run run = Run.of(arguments(options(leasing("cli_copy")), "adopt", "photos", "--database=" + url("cli_app")));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).endsWith("Applications with the settings of now can be started.\n");
        persistWith("cli_app", leasing("cli_copy"));
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void onlyCountersAreAdopted() {
        Run run = Run.of(
                "adopt",
                "photos",
                "--database=" + url("cli_app"),
                "-Ddistributedid.backend=snowflake",
                "-Ddistributedid.snowflake.worker=7");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("Only a sequence that counts, on servers that keep a record of it, can be adopted");
        assertThat(Run.of("adopt", "photos").err()).startsWith("Missing required option: '--database=URL'");
    }

    private static String token(String database) throws SQLException {
        return tokens(database).read().get("photos");
    }

    private static SequenceTokens tokens(String database) throws SQLException {
        return SequenceTokens.require(DriverManager.getConnection(url(database)), Optional.empty());
    }

    private static Run adopt(String table, String more, String... databases) {
        return adopt(table, List.of(more), databases);
    }

    private static Run adopt(String table, List<String> more, String... databases) {
        List<String> command = new ArrayList<>(List.of("adopt", "photos"));
        command.addAll(more);
        for (String database : databases) {
            command.add("--database=" + url(database));
        }
        return Run.of(arguments(options(table), command.toArray(String[]::new)));
    }
}
