package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.process.Pages;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MySQL and MariaDB servers that lose what they have committed are warned of. */
public abstract class DurabilityContract {

    private static final String LOSES = "A server that loses its last commits in a crash may give ids twice: ";

    @TempDir
    Path folder;

    /** A durable server. */
    protected abstract DatabaseServer server();

    /** A server of the test's own. */
    protected abstract DatabaseServer start(Path folder, String... options);

    @Test
    void eachSettingThatLosesCommitsIsWarnedOfOnce() {
        try (LoggedWarnings warnings = LoggedWarnings.of(Durability.class);
                DatabaseServer server = start(
                        folder.resolve("server"),
                        "--innodb-flush-log-at-trx-commit=2",
                        "--sync-binlog=0",
                        "--innodb-doublewrite=OFF")) {
            for (String backend : List.of("ticket", "sequence_table", "ticket", "sequence_table")) {
                assertThat(first(backend, server)).isPositive();
            }

            String label = label(server);
            assertThat(warnings.messages())
                    .containsExactly(
                            LOSES + label + " innodb_flush_log_at_trx_commit=2, allowed: 1. Write into my.cnf:"
                                    + " innodb_flush_log_at_trx_commit=1" + Pages.onCall("durability"),
                            LOSES + label + " sync_binlog=0, allowed: 1. Write into my.cnf: sync_binlog=1"
                                    + Pages.onCall("durability"),
                            LOSES + label + " innodb_doublewrite=OFF, allowed: ON, or OFF on storage that writes pages"
                                    + " atomically. Write into my.cnf: innodb_doublewrite=ON"
                                    + Pages.onCall("durability"));
        }
    }

    @Test
    void withoutABinaryLogItNeedsNoFlush() {
        try (LoggedWarnings warnings = LoggedWarnings.of(Durability.class);
                DatabaseServer server = start(folder.resolve("server"), "--skip-log-bin", "--sync-binlog=0")) {
            first("ticket", server);

            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void ofADurableServerNothingIsSaid() {
        try (LoggedWarnings warnings = LoggedWarnings.of(Durability.class)) {
            first("ticket", server());

            assertThat(warnings.messages()).isEmpty();
        }
    }

    /** The first id of a new process, as far as a test can have one. */
    protected static long first(String backend, DatabaseServer server) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                backend,
                "distributedid." + backend + ".servers",
                server.jdbcUrl("durability"),
                "distributedid.create_tables",
                "true",
                "distributedid.timeout",
                "30s"))) {
            return ids.next("photos");
        }
    }

    protected static String label(DatabaseServer server) {
        String url = server.jdbcUrl("durability");
        return url.substring(0, url.indexOf('?'));
    }
}
