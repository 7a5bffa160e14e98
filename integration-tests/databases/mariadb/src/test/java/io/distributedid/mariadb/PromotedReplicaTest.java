package io.distributedid.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SwitchingDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server fails over to its replica, which lacks the last blocks: no client gets one of them again. */
@Needs(Need.MARIADB)
class PromotedReplicaTest {

    private static final int MANY = 500;

    private static final long RAISED = 10_000_000;

    private MariaDbServer source;

    private MariaDbServer replica;

    @BeforeEach
    void start() throws IOException, SQLException {
        source = start(41);
        replica = start(42);
        DatabaseRows.execute(source.jdbcUrl("mysql"), "CREATE DATABASE promoted");
        DatabaseRows.execute(
                replica.jdbcUrl("mysql"),
                "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=" + source.port()
                        + ", MASTER_USER='root', MASTER_PASSWORD='', MASTER_USE_GTID=slave_pos, MASTER_SSL=0,"
                        + " MASTER_SSL_VERIFY_SERVER_CERT=0",
                "START SLAVE");
    }

    private static MariaDbServer start(int serverId) throws IOException {
        return MariaDbServer.start(
                Files.createTempDirectory(Path.of("target"), "replicated"), "--server-id=" + serverId);
    }

    @ParameterizedTest
    @CsvSource({"ticket, true", "ticket, false", "sequence_table, true", "sequence_table, false"})
    void aReplicaThatLagsIsRaisedAboveWhatItLacks(String backend, boolean isRunning) throws Exception {
        GivenIds given = new GivenIds();
        SwitchingDataSource address = new SwitchingDataSource(source.jdbcUrl("promoted"));
        DistributedIds client = GivenIds.client(backend, List.of(address));
        given.take(client, MANY);
        catchUp();
        DatabaseRows.execute(replica.jdbcUrl("mysql"), "STOP SLAVE");
        given.take(client, MANY);
        if (!isRunning) {
            client.close();
        }
        source.kill9();
        DatabaseRows.execute(replica.jdbcUrl("mysql"), "RESET SLAVE ALL");
        address.to(replica.jdbcUrl("promoted"));
        String query = "SELECT MAX(id) FROM " + (backend.equals("ticket") ? "Tickets64" : "sequence");
        assertThat(DatabaseRows.number(replica.jdbcUrl("promoted"), query))
                .as("the replica lags")
                .isLessThan(given.highest());

        if (!isRunning) {
            client = GivenIds.client(backend, List.of(address));
        }
        given.take(client, MANY);
        client.close();

        given.assertNoneTwice();
        assertThat(given.highest()).isGreaterThan(RAISED);
        String identity = "SELECT text FROM distributedid WHERE name = '"
                + (backend.equals("ticket") ? "Tickets64/'" : "sequence/photos'");
        assertThat(DatabaseRows.rows(replica.jdbcUrl("promoted"), identity))
                .singleElement()
                .asString()
                .matches(".*server_id(%20| )42(%20| )schema(%20| )promoted.*");
    }

    private void catchUp() throws SQLException {
        String position = DatabaseRows.rows(source.jdbcUrl("mysql"), "SELECT @@gtid_binlog_pos")
                .get(0);
        assertThat(DatabaseRows.number(replica.jdbcUrl("mysql"), "SELECT MASTER_GTID_WAIT('" + position + "', 30)"))
                .isZero();
    }
}
