package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The counters of several places become one, which gives what none of them gave. */
@Tag("slow")
class MergedPlacesTest extends MovedPhotos {

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

        assertThat(run.err())
                .startsWith(
                        "A place is named twice, or one is a copy of another: table=tickets on jdbc:h2:mem:cli_ids");
        persist("cli_app", "tickets");
    }
}
