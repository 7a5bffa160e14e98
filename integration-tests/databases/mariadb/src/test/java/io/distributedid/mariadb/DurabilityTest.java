package io.distributedid.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.Durability;
import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.DurabilityContract;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Needs(Need.MARIADB)
class DurabilityTest extends DurabilityContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }

    @Override
    protected DatabaseServer start(Path folder, String... options) {
        return MariaDbServer.start(folder, options);
    }

    @Test
    void oneMoreFlushThanNeededIsDurableToo(@TempDir Path folder) {
        try (LoggedWarnings warnings = LoggedWarnings.of(Durability.class);
                DatabaseServer server = start(folder.resolve("server"), "--innodb-flush-log-at-trx-commit=3")) {
            first("ticket", server);

            assertThat(warnings.messages()).isEmpty();
        }
    }

    /** A real MariaDB server that reports the version of TiDB. The driver of MySQL then takes it for TiDB. */
    @Test
    void aLookAlikeIsRefusedByEachBackend(@TempDir Path folder) {
        String version = "8.0.11-TiDB-v7.5.0";
        MariaDbServer server = MariaDbServer.start(folder.resolve("server"), "--version=" + version);
        String url = server.mySqlJdbcUrl("tidb");
        for (String backend : List.of("ticket", "sequence_table")) {
            assertThatThrownBy(() -> {
                        try (DistributedIds ids = DistributedIds.create(Map.of(
                                "distributedid.backend",
                                backend,
                                "distributedid." + backend + ".servers",
                                url,
                                "distributedid.create_tables",
                                "true"))) {
                            ids.next("photos");
                        }
                    })
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("Ids can't be reserved on this server: "
                            + url.substring(0, url.indexOf('?')) + " product=TiDB version=" + version);
        }
    }
}
