package io.distributedid.groupreplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A member of a multi-primary group numbers its rows by itself, in steps of 7 from its server id on, and goes back to
 * steps of 1 when it leaves the group: then two servers would give the same ids.
 */
@Needs(Need.MYSQL_PACKAGE)
class GroupReplicationTest {

    private static final String SCHEMA = "tickets";

    @Test
    void theNumberingThatTheGroupChoseIsRefused() throws Exception {
        MySqlServer member = member();
        assertThat(increment(member)).as("set by the group itself").isEqualTo(7);

        assertThatThrownBy(() -> first(member, "server"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A ticket server's numbering must be set by its operator: jdbc:mysql://127.0.0.1:"
                        + member.port()
                        + "/tickets says increment=7 offset=3, which Group Replication set by itself"
                        + " (group_replication_auto_increment_increment=7) and takes back when the server"
                        + " leaves the"
                        + " group. Write into my.cnf: auto_increment_increment=<10, the same on all servers>"
                        + " auto_increment_offset=<1 for the first>, restart the server; or set"
                        + " distributedid.ticket.numbering=client in all applications");
        assertThat(first(member, "client")).isPositive();
    }

    @Test
    void theNumberingThatTheOperatorChoseIsAccepted() throws Exception {
        MySqlServer member = member("--auto-increment-increment=2", "--auto-increment-offset=2");
        assertThat(increment(member)).isEqualTo(2);

        assertThat(first(member, "server")).isEqualTo(2);
    }

    private static MySqlServer member(String... more) throws Exception {
        Path base = Path.of(System.getProperty("mysql.base"));
        List<String> arguments = new ArrayList<>(List.of(
                "--server-id=3",
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--plugin-load-add=group_replication.so",
                "--loose-group_replication_group_name=11111111-2222-3333-4444-555555555555",
                "--loose-group_replication_bootstrap_group=ON",
                "--loose-group_replication_start_on_boot=ON",
                "--loose-group_replication_local_address=127.0.0.1:" + Ports.take(),
                "--loose-group_replication_single_primary_mode=OFF",
                "--loose-group_replication_enforce_update_everywhere_checks=ON",
                "--report-host=127.0.0.1"));
        arguments.addAll(List.of(more));
        MySqlServer member = MySqlServer.start(
                base, Files.createTempDirectory(Path.of("target"), "member"), arguments.toArray(String[]::new));
        awaitOnline(member);
        return member;
    }

    private static void awaitOnline(MySqlServer member) {
        String state = "SELECT MEMBER_STATE, @@super_read_only FROM performance_schema.replication_group_members";
        Await.every(
                Duration.ofMillis(50),
                Await.PATIENCE,
                "the member is online",
                () -> DatabaseRows.rows(member.jdbcUrl("mysql"), state).equals(List.of("ONLINE 0")),
                () -> DatabaseRows.rows(member.jdbcUrl("mysql"), state));
    }

    private static long increment(MySqlServer member) throws SQLException {
        try (Connection connection = member.connect("mysql");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@auto_increment_increment")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static long first(MySqlServer member, String numbering) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "ticket",
                "distributedid.ticket.servers",
                member.jdbcUrl(SCHEMA),
                "distributedid.ticket.numbering",
                numbering,
                "distributedid.create_tables",
                "true"))) {
            return ids.next("photos");
        }
    }
}
