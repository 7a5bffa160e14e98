package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.H2Servers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sequence moves while the databases of its entities remember its place. No id is repeated. */
@Tag("slow")
class MoveWithDatabasesTest extends MovedPhotos {

    /** As the error of the start says. */
    @Test
    void allShardsLearnAnotherTableAndTheOldOneEnds() throws Exception {
        persist("cli_app", "tickets");
        persist("cli_app2", "tickets");
        try (DistributedIds running = DistributedIds.create(settings("tickets"))) {
            given.add(running.next("photos"));
            assertThatThrownBy(() -> persist("cli_app", "tickets2"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence takes its ids from a different place than before: seq=photos")
                    .hasMessageContaining(
                            "distributedid move photos --from OLD.properties --config NEW.properties --database URL");

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
        assertThat(database.err()).startsWith("A database of the entities failed: jdbc:h2:tcp://localhost:");
        assertThat(move("tickets2", List.of(from("tickets"), "--user=no"), "cli_app")
                        .err())
                .startsWith("A database of the entities refuses the login: jdbc:h2:mem:cli_app said: Wrong user name")
                .endsWith(". Give --user, and its password in DISTRIBUTEDID_DATABASE_PASSWORD\n");
        persist("cli_app", "tickets");
        assertThat(given).doesNotHaveDuplicates();
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
        assertThat(Run.of(arguments(options(old), "next", "users")).err()).startsWith("The counters have ended");
    }

    @Test
    void aDatabaseThatWasForgottenLearnsThePlaceWhenTheMoveIsRepeated() throws Exception {
        persist("cli_app", "tickets");
        remember("cli_app2", "photos", token("cli_app"));
        assertThat(move("tickets2", from("tickets"), "cli_app").err()).isEmpty();

        assertThat(move("tickets2", from("tickets"), "cli_app2").err()).isEmpty();

        assertThat(token("cli_app2")).isEqualTo(token("cli_app"));
        persist("cli_app2", "tickets2");
        assertThat(given).doesNotHaveDuplicates();
    }
}
