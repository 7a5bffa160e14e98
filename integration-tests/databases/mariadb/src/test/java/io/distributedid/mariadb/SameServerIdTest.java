package io.distributedid.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Servers of MariaDB as they are installed: all have the {@code server_id} 1. */
@Needs(Need.MARIADB)
class SameServerIdTest {

    private static MariaDbServer start() throws Exception {
        MariaDbServer server =
                MariaDbServer.start(Files.createTempDirectory(Path.of("target"), "same"), "--server-id=1");
        DatabaseRows.execute(server.jdbcUrl("mysql"), "CREATE DATABASE ids");
        return server;
    }

    @Test
    void aListWhoseServersCannotBeToldApartIsRefusedUntilTheyCan() throws Exception {
        try (MariaDbServer one = start();
                MariaDbServer other = start()) {
            String list = one.jdbcUrl("ids") + "," + other.jdbcUrl("ids");
            try (DistributedIds client = GivenIds.sequenceTable(list)) {
                assertThatThrownBy(() -> client.next("photos")).hasMessageContaining("SET GLOBAL server_id");
            }

            DatabaseRows.execute(other.jdbcUrl("ids"), "SET GLOBAL server_id = 2");

            try (DistributedIds client = GivenIds.sequenceTable(list)) {
                assertThat(client.next("photos")).isPositive();
            }
        }
    }
}
