package io.distributedid.mysql;

import io.distributedid.testkit.MySqlReplication;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** A MySQL server and its asynchronous replica. */
final class ReplicatedServer {

    private final MySqlServer source;

    private final MySqlServer replica;

    private ReplicatedServer(MySqlServer source, MySqlServer replica) {
        this.source = source;
        this.replica = replica;
    }

    static ReplicatedServer start(int serverId, String... arguments) throws IOException, SQLException {
        MySqlServer source = MySqlReplication.server(folder("source"), serverId, arguments);
        MySqlServer replica = MySqlReplication.server(folder("replica"), serverId + 1, arguments);
        MySqlReplication.follow(replica, source);
        return new ReplicatedServer(source, replica);
    }

    private static Path folder(String name) throws IOException {
        return Files.createTempDirectory(Path.of("target"), name);
    }

    MySqlServer source() {
        return source;
    }

    MySqlServer replica() {
        return replica;
    }

    /** Returns when the replica has all that was committed. */
    void catchUp() throws SQLException {
        MySqlReplication.catchUp(replica, source);
    }

    /** From now on nothing that is committed reaches the replica. */
    void lag() throws SQLException {
        catchUp();
        MySqlReplication.lag(replica);
    }

    /** The source is gone, and the replica is a server of its own. */
    void promote() throws SQLException {
        MySqlReplication.promote(replica, source);
    }
}
