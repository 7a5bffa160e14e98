package io.distributedid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does with stores of leases. */
@Tag("slow")
class LeaseCommandsTest {

    @TempDir
    Path folder;

    @BeforeEach
    void setUp() throws IOException {
        settings("ids", url("ids"), "distributedid.create_tables=true");
    }

    private void settings(String file, String store, String more) throws IOException {
        Files.writeString(folder.resolve(file + ".properties"), """
                distributedid.backend=snowflake
                distributedid.snowflake.worker=lease
                distributedid.snowflake.lease.server=%s
                distributedid.snowflake.lease.window=4s
                distributedid.timeout=1m
                %s
                """.formatted(store, more));
    }

    private String url(String name) {
        return "jdbc:h2:" + folder.toAbsolutePath().resolve(name);
    }

    private void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private Run run(String file, String... arguments) throws Exception {
        return Run.of(Stream.concat(Stream.of(arguments), Stream.of("--config=" + folder.resolve(file + ".properties")))
                .toArray(String[]::new));
    }

    private long next(String file) throws Exception {
        Run next = run(file, "next", "photos");
        assertThat(next.exitCode()).as(next.err()).isZero();
        return Long.parseLong(next.out().strip());
    }

    /** What the store may have forgotten ends first. */
    private long awaitNext() throws Exception {
        Await.until("leases are given", () -> run("ids", "next", "photos").exitCode() == 0);
        return next("ids");
    }

    @Test
    void aStoreThatWasEmptiedIsBegunAndGetsOtherWindows() throws Exception {
        settings("ids", url("ids"), "");
        execute(url("ids"), run("ids", "ddl").out().replace(";", ""), "DELETE FROM distributedid");
        Run check = run("ids", "check", "--seq=photos");
        assertThat(check.exitCode()).as(check.out()).isEqualTo(1);
        assertThat(check.out())
                .contains("failed  The store of leases was never used, or was emptied: distributedid on " + url("ids"));
        assertThat(run("ids", "next", "photos").exitCode()).isEqualTo(1);

        Run begun = run("ids", "init", "photos");
        assertThat(begun.exitCode()).as(begun.err()).isZero();
        assertThat(begun.out()).startsWith("The store of leases of photos is ready. It leases from ");
        long first = awaitNext();

        String window = "-Ddistributedid.snowflake.lease.window=8s";
        assertThat(run("ids", "next", "photos", window).exitCode()).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            assertThat(run("ids", "init", "photos", window))
                    .isEqualTo(new Run(0, "The store of leases of photos is ready.\n", ""));
        }
        assertThat(run("ids", "check", "--seq=photos", window).out())
                .contains("window=8000ms skew=2000ms", "0 of 1024 numbers are taken");
        Run next = run("ids", "next", "photos", window);
        assertThat(Long.parseLong(next.out().strip())).isGreaterThan(first);
    }

    @Test
    void leasesMoveToAnotherStoreAndBack() throws Exception {
        settings("new", url("new"), "distributedid.create_tables=true");
        String app = "--database=" + url("app");
        long last = next("ids");

        for (int attempt = 0; attempt < 2; attempt++) {
            Run moved = run("new", "move", "photos", "--from=" + folder.resolve("ids.properties"), "--yes", app);
            assertThat(moved.exitCode()).as(moved.err()).isZero();
            assertThat(moved.out()).contains("The ids of photos go on.");
        }
        Run old = run("ids", "next", "photos");
        assertThat(old.exitCode()).isEqualTo(1);
        assertThat(old.err())
                .contains("The leases have moved from distributedid on " + url("ids") + " to distributedid on "
                        + url("new"));
        assertThat(next("new")).isGreaterThan(last);
        last = next("new");

        Run back = run("ids", "move", "photos", "--from=" + folder.resolve("new.properties"), "--yes", app);
        assertThat(back.exitCode()).as(back.err()).isZero();
        assertThat(next("ids")).isGreaterThan(last);
        assertThat(run("new", "next", "photos").exitCode()).isEqualTo(1);
    }

    @Test
    void aStoreThatHasLostLeasesIsRepaired() throws Exception {
        long last = next("ids");
        execute(url("ids"), "DELETE FROM distributedid WHERE name = '@worker/1'");
        Run check = run("ids", "check", "--seq=photos");
        assertThat(check.exitCode()).as(check.out()).isEqualTo(1);
        assertThat(check.out()).contains("@worker/1");

        assertThat(run("ids", "repair", "photos", "--dry-run").out()).endsWith("Dry run: nothing was changed.\n");
        Run repaired = run("ids", "repair", "photos", "--yes");
        assertThat(repaired.exitCode()).as(repaired.err()).isZero();
        assertThat(repaired.out()).endsWith("The store of leases of photos is repaired.\n");

        assertThat(awaitNext()).isGreaterThan(last);
        assertThat(run("ids", "check", "--seq=photos").exitCode()).isZero();
    }

    @Test
    void aSequenceGetsAnotherLayout() throws Exception {
        settings("new", url("ids"), "distributedid.snowflake.layout=time:41, worker:9, sequence:13");
        long last = next("ids");
        assertThat(run("new", "next", "photos").err()).startsWith("A sequence must keep its layout and epoch");

        Run changed = run("new", "change-layout", "photos");

        assertThat(changed.exitCode()).as(changed.err()).isZero();
        assertThat(changed.out())
                .startsWith("The layout of photos was: ")
                .endsWith("Its layout is now that of these settings. Start the processes with them.\n");
        assertThat(next("new")).isGreaterThan(last);
        assertThat(run("ids", "next", "photos").err()).startsWith("A sequence must keep its layout and epoch");
    }
}
