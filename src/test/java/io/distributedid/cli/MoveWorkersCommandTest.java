package io.distributedid.cli;

import static io.distributedid.cli.Databases.arguments;
import static io.distributedid.cli.Databases.ids;
import static io.distributedid.cli.Databases.url;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MoveWorkersCommandTest {

    private static final String[] OLD = settings("-Ddistributedid.snowflake.lease.server=" + url("cli_w1"));

    private static final String[] BOTH = settings(
            "-Ddistributedid.snowflake.lease.server=" + url("cli_w2"),
            "-Ddistributedid.snowflake.lease.moving_from.server=" + url("cli_w1"));

    private static final String[] NEW = settings("-Ddistributedid.snowflake.lease.server=" + url("cli_w2"));

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("cli_w1", "cli_w2");
    }

    private static String[] settings(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "-Ddistributedid.backend=snowflake",
                "-Ddistributedid.snowflake.worker=lease",
                "-Ddistributedid.create_tables=true",
                "-Ddistributedid.snowflake.lease.window=1s"));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void theOldPlaceIsFencedAndTheNewOneSettled() {
        List<Long> given = new ArrayList<>(ids(Run.of(arguments(OLD, "next", "photos", "--count=300"))));
        given.addAll(ids(Run.of(arguments(BOTH, "next", "photos", "--count=300"))));
        Run early = Run.of(arguments(NEW, "next", "photos"));
        assertThat(early.exitCode()).isEqualTo(2);
        assertThat(early.err()).startsWith("The move of the worker numbers has not ended: ");

        Run run = Run.of(arguments(BOTH, "move-workers", "photos"));

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("""
                        PLACE      STORE                                   STATE
                        old place  snowflake_worker on jdbc:h2:mem:cli_w1  state=MOVED, no number is leased there any more
                        new place  snowflake_worker on jdbc:h2:mem:cli_w2  the move has ended; sequences whose layout was taken along: 1
                        Applications without snowflake.lease.moving_from can be started.
                        """);
        given.addAll(ids(Run.of(arguments(NEW, "next", "photos", "--count=300"))));
        assertThat(given).hasSize(900).doesNotHaveDuplicates();
        Run late = Run.of(arguments(OLD, "next", "photos"));
        assertThat(late.exitCode()).isEqualTo(2);
        assertThat(late.err()).startsWith("The worker numbers have moved to another place: ");
    }

    @Test
    void aMoveThatHasNotBegunIsRefused() {
        ids(Run.of(arguments(OLD, "next", "photos", "--count=3")));

        Run alone = Run.of(arguments(OLD, "move-workers", "photos"));
        assertThat(alone.exitCode()).isEqualTo(2);
        assertThat(alone.err()).startsWith("The place that worker numbers move from must be set: ");
        Run fixed = Run.of(
                "-Ddistributedid.backend=snowflake", "-Ddistributedid.snowflake.worker=7", "move-workers", "photos");
        assertThat(fixed.exitCode()).isEqualTo(2);
        assertThat(fixed.err()).startsWith("Only worker numbers that are leased can be moved: seq=photos");
    }
}
