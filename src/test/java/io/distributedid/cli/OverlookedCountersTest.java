package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.execute;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.url;
import static io.distributedid.cli.Databases.urls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.H2Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.h2.api.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command leaves a counter or a server behind that it does not know of. */
@Tag("slow")
class OverlookedCountersTest {

    /** Does something just before the header of the sequence table is closed. */
    public static final class BeforeClose implements Trigger {

        private static final AtomicReference<Runnable> NEXT = new AtomicReference<>();

        @Override
        public void fire(Connection connection, Object[] before, Object[] after) {
            Runnable next = after[0].equals("sequence") ? NEXT.getAndSet(null) : null;
            if (next != null) {
                next.run();
            }
        }
    }

    @TempDir
    private Path folder;

    private final List<Long> given = new ArrayList<>();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_a1", "cli_a2");
    }

    private String tickets(String name, int increment, String... databases) throws IOException {
        return file(
                name,
                "distributedid.backend=ticket",
                "distributedid.ticket.numbering=client",
                "distributedid.ticket.increment=" + increment,
                "distributedid.ticket.servers=" + urls(databases));
    }

    private String sequences(String name, String table, String... databases) throws IOException {
        return file(
                name,
                "distributedid.backend=sequence_table",
                "distributedid.sequence_table.table=" + table,
                "distributedid.sequence_table.servers=" + urls(databases));
    }

    private String file(String name, String... own) throws IOException {
        List<String> settings = new ArrayList<>(List.of(own));
        settings.addAll(List.of("distributedid.create_tables=true", "distributedid.block.max=7"));
        return Files.write(folder.resolve(name), settings).toString();
    }

    private void take(String config, int count) {
        given.addAll(ids(Run.of("next", "photos", "--count=" + count, "--config=" + config)));
        assertThat(given).doesNotHaveDuplicates();
    }

    private static Run move(String... more) {
        return Run.of(arguments(more, "move", "photos", "--yes"));
    }

    @Test
    void aSequenceThatBeginsDuringAMoveMovesAlong() throws Exception {
        String old = sequences("old.properties", "sequence", "cli_a1");
        String now = sequences("new.properties", "sequence", "cli_a2");
        take(old, 20);
        execute(
                "cli_a1",
                "CREATE TRIGGER before_close BEFORE UPDATE ON distributedid FOR EACH ROW CALL"
                        + " 'io.distributedid.cli.OverlookedCountersTest$BeforeClose'");
        List<Long> albums = new ArrayList<>();
        try (DistributedIds running = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.block.max",
                "7",
                "distributedid.block.timeout",
                "1s",
                "distributedid.sequence_table.servers",
                url("cli_a1")))) {
            BeforeClose.NEXT.set(() -> albums.add(running.next("albums")));

            assertThat(move("--from=" + old, "--config=" + now).exitCode()).isZero();

            albums.addAll(ids(Run.of("next", "albums", "--count=200", "--config=" + now)));
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            albums.add(running.next("albums"));
                        }
                    })
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("The counters were moved away");
        }
        assertThat(albums).hasSizeGreaterThan(200).doesNotHaveDuplicates();
    }

    @Test
    void aRaiseWithTheListFromBeforeAServerJoinedIsRefused() throws Exception {
        String one = tickets("one.properties", 10, "cli_a1");
        String two = tickets("two.properties", 10, "cli_a1", "cli_a2");
        take(one, 20);
        assertThat(move("--from=" + one, "--config=" + two).err()).isEmpty();

        Run run = Run.of("raise", "photos", "--above=5000000", "--yes", "--config=" + one);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("List the same servers");
        assertThat(Run.of("raise", "photos", "--above=5000000", "--yes", "--config=" + two)
                        .exitCode())
                .isZero();
        assertThat(ids(Run.of("next", "photos", "--count=40", "--config=" + two)))
                .allMatch(id -> id > 5_000_000);
    }

    /** The server that it lists lies above already, and the one that joined does not. */
    @Test
    void aRaiseWithTheListFromBeforeAServerJoinedIsRefusedAlsoAboveALowerId() throws Exception {
        String one = tickets("one.properties", 10, "cli_a1");
        String two = tickets("two.properties", 10, "cli_a1", "cli_a2");
        take(one, 20);
        assertThat(move("--from=" + one, "--config=" + two).err()).isEmpty();
        take(one, 2_000);

        Run run = Run.of("raise", "photos", "--above=10000", "--yes", "--config=" + one);

        assertThat(ids(Run.of("next", "photos", "--count=40", "--config=" + two)))
                .as("exit code %s: %s", run.exitCode(), run.out())
                .matches(ids -> run.exitCode() == 2 || ids.stream().allMatch(id -> id > 10_000));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("List the same servers");
    }

    @Test
    void aPlaceThatIsMergedWithItselfUnderAnotherNameIsRefused() throws Exception {
        String old = sequences("old.properties", "sequence", "cli_a1");
        String same = sequences("same.properties", "PUBLIC.sequence", "cli_a1");
        String now = sequences("new.properties", "sequence", "cli_a2");
        take(old, 20);

        Run run = move("--from=" + old, "--from=" + same, "--config=" + now);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("A place is named twice, or one is a copy of another: ")
                .contains(" token=");
        take(old, 20);
    }

    @Test
    void theSameServersGetAnotherIncrement() throws Exception {
        String old = tickets("old.properties", 2, "cli_a1", "cli_a2");
        String now = tickets("new.properties", 10, "cli_a1", "cli_a2");
        take(old, 20);
        assertThat(Run.of("next", "photos", "--config=" + now).err())
                .contains("or move the counters to the new list: distributedid move");

        assertThat(move("--from=" + old, "--config=" + now).err()).isEmpty();

        take(now, 20);
        assertThat(move("--from=" + now, "--config=" + old).err()).isEmpty();
        take(old, 20);
    }

    /** Neither for one who does not agree, nor where the new column is too narrow. */
    @Test
    void anotherBackendIsNotTouchedBeforeAllIsWell() throws Exception {
        String old = tickets("old.properties", 1, "cli_a1");
        String now = sequences("new.properties", "sequence", "cli_a2");
        take(old, 20);
        Run refused = Run.of("move", "photos", "--from=" + old, "--config=" + now);
        assertThat(refused.err()).contains("Nothing was done: there is no terminal to ask on");
        assertThat(Run.of("check", "--seq=photos", "--config=" + now).out()).doesNotContain("state=OPEN");
        assertThat(move("--from=" + old, "--config=" + now).err()).isEmpty();
        take(now, 20);
        assertThat(Run.of("move", "photos", "--new-space", "--above=40", "--yes", "--config=" + old)
                        .err())
                .as("the way back, if nobody has taken ids in the new place")
                .isEmpty();
        assertThat(ids(Run.of("next", "photos", "--count=20", "--config=" + old)))
                .allMatch(id -> id > 40);
        assertThat(Run.of("raise", "photos", "--above=5000000000", "--yes", "--config=" + now)
                        .exitCode())
                .isZero();
        String narrow = tickets("narrow.properties", 1, "cli_a2");
        Files.writeString(Path.of(narrow), "distributedid.ticket.bits=32\n", StandardOpenOption.APPEND);

        Run run = move("--from=" + now, "--config=" + narrow);

        assertThat(run.err()).contains("No ids are left above an existing id");
        take(now, 20);
    }
}
