package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Fault;
import io.distributedid.testkit.MySqlReplication;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A sequence table on a MySQL primary with an asynchronous replica, which may lag when it is promoted. The former
 * primary is gone then, and a new replica follows.
 */
final class PrimaryWithReplica extends BlockTopology implements Topology.Special {

    private static final int SHORTEST_LAG_MILLIS = 500;

    private final Path folder;

    private final Node primary;

    private volatile MySqlServer replica;

    private int started = 1;

    private PrimaryWithReplica(Path folder, Node primary) {
        super(
                List.of(primary),
                Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "distributedid.sequence_table.servers",
                        primary.proxied(((MySqlServer) primary.server()).jdbcUrl("ids")),
                        "distributedid.create_tables",
                        "true"));
        this.folder = folder;
        this.primary = primary;
    }

    static Topology start(Path folder) throws IOException, SQLException {
        PrimaryWithReplica topology = new PrimaryWithReplica(folder, new Node("MySQL primary", server(folder, 1)));
        topology.replica = topology.follow();
        return topology;
    }

    private static MySqlServer server(Path folder, int id) {
        return MySqlReplication.server(folder.resolve("mysql" + id), id);
    }

    private MySqlServer source() {
        return (MySqlServer) primary.server();
    }

    /** A new replica, which gets all from the first transaction on. */
    private MySqlServer follow() throws SQLException {
        MySqlServer follower = server(folder, ++started);
        MySqlReplication.follow(follower, source());
        return follower;
    }

    @Override
    public String happen(int lastsMillis, SplittableRandom random) throws Exception {
        boolean lags = random.nextInt(4) > 0;
        MySqlReplication.catchUp(replica, source());
        if (lags) {
            MySqlReplication.lag(replica);
            Thread.sleep(SHORTEST_LAG_MILLIS + lastsMillis);
        }
        MySqlServer former = source();
        MySqlReplication.promote(replica, former);
        primary.moveTo(replica);
        former.close();
        replica = follow();
        return lags ? "the replica lagged" : "the replica had nearly all";
    }

    @Override
    public Set<String> down() {
        return Set.of(primary.name());
    }

    @Override
    public Optional<String> statement() {
        return Optional.of("UPDATE");
    }

    @Override
    public Map<Fault, Special> specials() {
        return Map.of(Fault.REPLICA_PROMOTED, this);
    }

    /** A replica is no server of its own, before it is promoted and after. */
    @Override
    public List<Map<String, String>> wrongSettings() {
        return List.of(withMore("distributedid.sequence_table.servers", replica.jdbcUrl("ids")));
    }

    @Override
    public void close() {
        super.close();
        replica.close();
    }
}
