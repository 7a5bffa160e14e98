package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Fault;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * A sequence table on a MySQL group of three members with one primary. When the primary is killed or stands still, the
 * group elects another one, and the applications' address leads there.
 */
final class GroupReplication extends BlockTopology implements Topology.Special {

    private static final String SYSTEM = "mysql";

    private static final int MEMBERS = 3;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String STATE = "SELECT MEMBER_STATE FROM performance_schema.replication_group_members"
            + " WHERE MEMBER_ID = @@server_uuid";

    private final List<MySqlServer> members;

    private final Node primary;

    private GroupReplication(List<MySqlServer> members, Node primary) {
        super(
                List.of(primary),
                Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "distributedid.sequence_table.servers",
                        primary.proxied(members.get(0).jdbcUrl("ids")),
                        "distributedid.create_tables",
                        "true"));
        this.members = members;
        this.primary = primary;
    }

    static Topology start(Path folder) throws IOException, SQLException {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            ports.add(Ports.take());
        }
        List<MySqlServer> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(member(folder, i, ports));
        }
        execute(members.get(0), "SET GLOBAL group_replication_bootstrap_group = ON");
        for (MySqlServer member : members) {
            join(member);
        }
        execute(members.get(0), "SET GLOBAL group_replication_bootstrap_group = OFF");
        return new GroupReplication(members, new Node("MySQL group", members.get(0)));
    }

    /** Where the whole distribution is unpacked; the small one lacks the plug-in. */
    static Path base() {
        return Path.of(System.getProperty("soak.home", "target"), "mysql");
    }

    private static MySqlServer member(Path folder, int place, List<Integer> ports) {
        String seeds =
                String.join(",", ports.stream().map(port -> "127.0.0.1:" + port).toList());
        return MySqlServer.start(
                base(),
                folder.resolve("member" + place),
                "--server-id=" + (place + 1),
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--plugin-load-add=group_replication.so",
                "--loose-group_replication_group_name=11111111-2222-3333-4444-555555555555",
                "--loose-group_replication_start_on_boot=OFF",
                "--loose-group_replication_bootstrap_group=OFF",
                "--loose-group_replication_local_address=127.0.0.1:" + ports.get(place),
                "--loose-group_replication_group_seeds=" + seeds,
                "--loose-group_replication_recovery_get_public_key=ON",
                "--loose-group_replication_member_expel_timeout=0",
                "--report-host=127.0.0.1");
    }

    private static void join(MySqlServer member) throws SQLException {
        execute(
                member,
                "CHANGE REPLICATION SOURCE TO SOURCE_USER='root', SOURCE_PASSWORD=''"
                        + " FOR CHANNEL 'group_replication_recovery'",
                "START GROUP_REPLICATION");
        await("a member is online", () -> rows(member, STATE).equals(List.of("ONLINE")));
    }

    private static void execute(MySqlServer server, String... statements) throws SQLException {
        DatabaseRows.execute(server.jdbcUrl(SYSTEM), statements);
    }

    private static List<String> rows(MySqlServer server, String query) throws SQLException {
        return DatabaseRows.rows(server.jdbcUrl(SYSTEM), query);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Await.every(PAUSE, PATIENCE, what, condition, () -> "nothing else is known");
    }

    @Override
    public String happen(int lastsMillis, SplittableRandom random) throws Exception {
        MySqlServer former = (MySqlServer) primary.server();
        boolean isKilled = random.nextBoolean();
        if (isKilled) {
            former.kill9();
        } else {
            former.pause();
        }
        List<MySqlServer> others =
                members.stream().filter(member -> member != former).toList();
        await("another member is elected", () -> elected(others).isPresent());
        primary.moveTo(elected(others).orElseThrow());
        Thread.sleep(lastsMillis);
        if (isKilled) {
            former.restart();
        } else {
            former.resume();
            // It notices that the others have gone on without it.
            await("the former primary has left", () -> !rows(former, STATE).equals(List.of("ONLINE")));
            execute(former, "STOP GROUP_REPLICATION");
        }
        join(former);
        return isKilled ? "the primary was killed" : "the primary stood still";
    }

    private static Optional<MySqlServer> elected(List<MySqlServer> among) throws SQLException {
        for (MySqlServer member : among) {
            if (rows(member, "SELECT @@super_read_only").equals(List.of("0"))
                    && rows(member, STATE).equals(List.of("ONLINE"))) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    @Override
    public Set<String> down() {
        return Set.of(primary.name());
    }

    @Override
    public Optional<String> statement() {
        return Optional.of("UPDATE");
    }

    /** A member that comes back must join the group again. */
    @Override
    public boolean restartsServers() {
        return false;
    }

    @Override
    public Map<Fault, Special> specials() {
        return Map.of(Fault.PRIMARY_MOVED, this);
    }

    /** Another member is no server of its own, whichever is primary. */
    @Override
    public List<Map<String, String>> wrongSettings() {
        return members.stream()
                .map(member -> withMore("distributedid.sequence_table.servers", member.jdbcUrl("ids")))
                .toList();
    }

    @Override
    public void close() {
        super.close();
        members.forEach(MySqlServer::close);
    }
}
