package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A copy, or another store, counts for itself. */
@Tag("slow")
class NewSpaceTest extends MovedPhotos {

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
                .startsWith("A move with --lost or --new-space must name an id: photos --above=0, allowed: the largest"
                        + " id in");

        Run run = move("tickets2", List.of("--new-space", "--above=1000"), "cli_copy");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        persist("cli_copy", "tickets2");
        assertThat(given.get(given.size() - 1)).isGreaterThan(1000);
        persist("cli_app", "tickets");
        assertThatThrownBy(() -> persist("cli_copy", "tickets")).isInstanceOf(IdConfigurationException.class);
        assertThatThrownBy(() -> persist("cli_app", "tickets2")).isInstanceOf(IdConfigurationException.class);
    }

    /** As the refusal says: the place that it remembers has moved twice. */
    @Test
    void aDatabaseThatTwoMovesLeftOutLearnsThePlace() throws Exception {
        persist("cli_app", "tickets");
        persist("cli_app2", "tickets");
        assertThat(move("tickets2", from("tickets"), "cli_app").exitCode()).isZero();
        assertThat(move("tickets3", from("tickets2"), "cli_app").exitCode()).isZero();
        assertThat(move("tickets3", from("tickets2"), "cli_app2").err())
                .startsWith("The servers must belong to one id space")
                .contains("If an earlier move ended that place, and left its database out: distributedid move SEQ"
                        + " --new-space --above <largest id in use>, with --database URL for each");

        assertAnew("tickets3");
    }

    private void assertAnew(String table) throws Exception {
        long largest = given.stream().mapToLong(Long::longValue).max().orElseThrow();
        Run run = move(table, List.of("--new-space", "--above=" + largest), "cli_app", "cli_app2");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        persist("cli_app", table);
        persist("cli_app2", table);
        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void aDatabaseThatTheMoveOfALostPlaceLeftOutLearnsThePlace() throws Exception {
        persist("cli_app", "tickets");
        persist("cli_app2", "tickets");
        execute("cli_ids", "DROP ALL OBJECTS");
        String[] lost = {"--lost", "--above=" + given.size() * 10};
        assertThat(move("tickets", List.of(lost), "cli_app").exitCode()).isZero();
        persist("cli_app", "tickets");
        assertThatThrownBy(() -> persist("cli_app2", "tickets")).isInstanceOf(IdConfigurationException.class);
        assertThat(move("tickets", List.of(lost), "cli_app2").err())
                .startsWith("All servers of the list have their counters: table=tickets on jdbc:h2:mem:cli_ids")
                .contains("if a database of the entities was left out of the move: distributedid move SEQ --new-space"
                        + " --above <largest id in use>, with --database URL for each");

        assertAnew("tickets");
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

    /** It had its ids from the same table, and has worker numbers now. */
    @Test
    void aSequenceWithABackendOfItsOwnLeavesTheOthersOfItsFormerTable() throws Exception {
        persist("cli_app", "tickets");
        String table = token("cli_app");
        remember("cli_app", "orders", table);
        Map<String, String> mixed = new HashMap<>(settings("tickets"));
        leasing("cli_copy")
                .forEach((name, value) -> mixed.put(
                        name.equals("distributedid.backend") ? "distributedid.seq.orders.backend" : name, value));

        Run run = Run.of(arguments(options(mixed), "move", "orders", "--new-space", "--database=" + url("cli_app")));

        assertThat(run.err()).isEmpty();
        assertThat(token("cli_app")).isEqualTo(table);
        assertThat(token("cli_app", "orders")).isNotEqualTo(table);
        persistWith("cli_app", mixed);
        assertThat(given).doesNotHaveDuplicates();
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
                .startsWith("A store of worker numbers has no counter that could end: seq=photos");
        assertThat(Run.of(
                                "move",
                                "photos",
                                "--new-space",
                                "-Ddistributedid.backend=snowflake",
                                "-Ddistributedid.snowflake.worker=7")
                        .err())
                .startsWith("Only worker numbers that are leased have a store: seq=photos");
    }
}
