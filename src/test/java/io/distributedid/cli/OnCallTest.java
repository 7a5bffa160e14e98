package io.distributedid.cli;

import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdAdmin;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counters, in sequence tables. */
@Tag("slow")
class OnCallTest extends OnCallRows {

    /** Only a server of Redis shows that another program writes its keys. */
    private static final Set<String> NOT_WALKED = Set.of("foreign-key");

    private static final String[] TABLES =
            IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2").toArray(String[]::new);

    @BeforeEach
    void create() throws SQLException {
        for (String database : List.of("call_a", "call_b", "call_c", "call_d")) {
            execute(database, TABLES);
        }
    }

    @Test
    void everyRowWithACommandIsWalked() throws IOException {
        assertThat(rows().keySet())
                .hasSizeGreaterThan(26)
                .filteredOn(anchor -> !NOT_WALKED.contains(anchor))
                .hasSameElementsAs(Stream.of(OnCallTest.class, OnCallLeasesTest.class)
                        .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                        .flatMap(method -> Stream.of(method.getAnnotationsByType(Walks.class)))
                        .map(Walks::value)
                        .toList());
    }

    @Walks("counter-lost-alone")
    void aCounterThatWentBack() throws Exception {
        Path one = used(servers("new", "call_a"));
        execute("call_a", "UPDATE sequence SET id = 1");
        checked(one);
    }

    @Walks("counter-header-lost")
    void aServerThatWasEmptied() throws Exception {
        Path two = used(servers("new", "call_a", "call_b"));
        execute("call_b", "DROP ALL OBJECTS");
        execute("call_b", TABLES);
        checked(two);
    }

    @Walks("counter-replaced")
    void aReplicaThatTookOver() throws Exception {
        used(servers("old", "call_a", "call_b"));
        replica("call_b");
        Path two = servers("new", "call_a", "call_b;SCHEMA=REPLICA");
        Files.writeString(two, "distributedid.failover=refuse", StandardOpenOption.APPEND);
        checked(two);
    }

    @Walks("counter-left-behind")
    void aServerThatWasRestoredFromBeforeARepair() throws Exception {
        Path two = used(servers("new", "call_a", "call_b"));
        String backup = "'" + folder.resolve("backup.sql") + "'";
        execute("call_b", "SCRIPT DROP TO " + backup);
        assertThat(command("repair photos --yes", two).exitCode()).isZero();
        execute("call_b", "RUNSCRIPT FROM " + backup);
        checked(two);
    }

    @Walks("counter-closed")
    void aRepairThatWasCutOff() throws Exception {
        Path two = used(servers("new", "call_a", "call_b"));
        cutOff("call_a", "repair photos --yes", two);
        checked(two);
    }

    @Walks("counter-remainder")
    void anIdOfAnotherServer() throws Exception {
        Path two = used(servers("new", "call_a", "call_b"));
        execute("call_a", "UPDATE sequence SET id = id + 1");
        checked(two);
    }

    @Walks("counter-too-far")
    void aCounterFarAheadWhoseIdIsInUse() throws Exception {
        Path two = used(servers("new", "call_a", "call_b"));
        execute("call_a", "UPDATE sequence SET id = 20000000001");
        given.add(20_000_000_001L);
        checked(two);
    }

    @Walks("counter-used")
    void anEmptyServerBesideOneThatOthersHaveUsed() throws Exception {
        execute("call_a", "INSERT INTO sequence (name, id) VALUES ('photos', 1000)");
        given.add(1_000L);
        checked(servers("new", "call_a", "call_b"));
    }

    @Walks("counter-existing")
    void anIdAboveTheCounter() throws Exception {
        execute("call_app", "CREATE TABLE Photo (id BIGINT PRIMARY KEY)", "INSERT INTO Photo VALUES (5000)");
        given.add(5_000L);
        start(servers("new", "call_a"));
    }

    @Walks("counter-numbering")
    void anotherList() throws Exception {
        used(servers("old", "call_a"));
        checked(servers("new", "call_a", "call_b"));
    }

    @Walks("counter-members")
    void anotherServer() throws Exception {
        used(servers("old", "call_a", "call_b"));
        replica("call_c");
        checked(servers("new", "call_a", "call_c;SCHEMA=REPLICA"));
    }

    @Walks("lost-server")
    void aServerThatIsLostForGood() throws Exception {
        used(servers("old", "call_a", "call_b", "call_c"));
        H2Servers.drop("call_c");
        checked(servers("new", "call_a", "call_b"));
    }

    @Walks("counter-not-lost")
    void noServerIsLost() throws Exception {
        Path two = used(servers("new", "call_a", "call_b"));
        walk(
                command("move photos --lost --yes --above " + Collections.max(given), two)
                        .err(),
                two);
    }

    @Walks("counter-token")
    void serversOfTwoSpacesThatGaveAsManyIds() throws Exception {
        command("next photos --count=500", servers("others", "call_c", "call_d"));
        used(servers("old", "call_a", "call_b"));
        checked(servers("new", "call_a", "call_d"));
    }

    @Walks("place")
    void anotherPlace() throws Exception {
        used(servers("old", "call_a"));
        start(servers("new", "call_b"));
    }

    @Walks("place-lost")
    void aPlaceThatIsGone() throws Exception {
        used(servers("old", "call_a"));
        H2Servers.drop("call_a");
        start(servers("new", "call_b"));
    }

    @Walks("not-compared")
    void aLargeTableWithoutAnIndex() throws Exception {
        Path one = servers("new", "call_a");
        String ids = "SYSTEM_RANGE(1, 100001)";
        execute("call_app", "CREATE TABLE Photo (id BIGINT NOT NULL)", "INSERT INTO Photo SELECT x FROM " + ids);
        LongStream.rangeClosed(1, 100_001).forEach(given::add);
        execute("call_a", "INSERT INTO sequence (name, id) VALUES ('photos', 100001)");
        try (LoggedWarnings log = LoggedWarnings.ofPackage(DistributedIdService.class.getPackage())) {
            used(one);
            walk(String.join("\n", log.messages()), one);
        }
    }

    private void checked(Path settings) throws IOException {
        assertThat(check(settings).exitCode()).isNotZero();
        walk(check(settings).out(), settings);
    }

    /** In H2 another schema is another server. */
    private static void replica(String database) throws SQLException {
        execute(database, "CREATE SCHEMA replica");
        execute(database + ";SCHEMA=REPLICA", TABLES);
        execute(database + ";SCHEMA=REPLICA", "DELETE FROM distributedid");
        for (String table : List.of("distributedid", "sequence")) {
            execute(database, "INSERT INTO replica." + table + " SELECT * FROM " + table);
        }
    }

    private Path servers(String name, String... databases) throws IOException {
        return Files.writeString(
                folder.resolve(name + ".properties"),
                "distributedid.backend=sequence_table\ndistributedid.block.max=7\n"
                        + "distributedid.sequence_table.servers=" + urls(databases) + "\n");
    }
}
