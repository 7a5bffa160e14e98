package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.number;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A place ends, and its settings get no more ids. */
@Tag("slow")
class EndedPlacesTest extends MovedPhotos {

    @Test
    void aCounterThatEndedSaysWhatItsIdsLieBelow() throws Exception {
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));

        Run dry = Run.of(arguments(options("tickets"), "move", "photos", "--end", "--dry-run"));
        given.addAll(ids(Run.of(arguments(options("tickets"), "next", "photos", "--count=7"))));
        Run run = move("tickets", "--end");

        assertThat(dry.out())
                .matches("SERVER +LAST ID\njdbc:h2:mem:cli_ids +\\d+\n"
                        + "The counter ends for good, with all others of its table.\n"
                        + "Dry run: nothing was changed.\n");
        assertThat(run.exitCode()).isZero();
        long last = Long.parseLong(run.out().replaceAll("(?s).* or below (\\d+)\\.\n", "$1"));
        assertThat(given).allMatch(id -> id <= last);
        assertThat(run.out())
                .endsWith("The counter of photos has ended, as have all others of its table. Its ids lie at or below "
                        + last + ".\n");
        try (DistributedIds next = DistributedIds.create(settings("tickets2"))) {
            next.admin().raise("photos", last);
        }
        given.addAll(ids(Run.of(arguments(options("tickets2"), "next", "photos", "--count=7"))));
        assertThat(given).doesNotHaveDuplicates();
        assertThat(Run.of(arguments(options("tickets"), "repair", "photos")).err())
                .startsWith("The counters have ended, by move --end, a merge, or a move to another backend:"
                        + " table=tickets on jdbc:h2:mem:cli_ids. If they continue elsewhere, set that place; if not,"
                        + " to count here again for good: distributedid move SEQ --new-space --above <largest id in"
                        + " use>, with --database URL for each database of the entities");
        assertThat(Run.of(arguments(options("tickets"), "next", "users")).err())
                .as("a sequence of the same table")
                .startsWith("The counters have ended");
    }

    /** As the refusal says; SEQ is any sequence of the table. */
    @Test
    void anEndedPlaceCountsAgainInANewSpace() throws Exception {
        persist("cli_app", "tickets");
        assertThat(move("tickets", "--end", "cli_app").exitCode()).isZero();
        assertThatThrownBy(() -> persist("cli_app", "tickets"))
                .hasMessageContaining("to count here again for good: distributedid move SEQ --new-space --above");
        long largest = given.stream().mapToLong(Long::longValue).max().orElseThrow();

        Run run = Run.of(arguments(
                options("tickets"),
                "move",
                "photos",
                "--yes",
                "--new-space",
                "--above=" + largest,
                "--database=" + url("cli_app")));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        persist("cli_app", "tickets");
        assertThat(given).doesNotHaveDuplicates();
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
