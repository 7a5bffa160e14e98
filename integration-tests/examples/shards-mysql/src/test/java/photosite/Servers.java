package photosite;

import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Real MySQL servers: two with two shards each, the first with the directory too, and the ticket pair. */
final class Servers {

    private final MySqlServer[] data = {start("db1"), start("db2")};

    private final MySqlServer odd = start("t1", "--auto-increment-increment=2", "--auto-increment-offset=1");

    private final MySqlServer even = start("t2", "--auto-increment-increment=2", "--auto-increment-offset=2");

    Servers() throws IOException {}

    private static MySqlServer start(String name, String... arguments) throws IOException {
        return MySqlServer.start(Files.createTempDirectory(Path.of("target"), name), arguments);
    }

    MySqlServer ticketServer1() {
        return odd;
    }

    /** Settings in place of the host names in persistence.xml. */
    Map<String, ?> ofShard(int shard) {
        return Map.of(
                "jakarta.persistence.jdbc.url",
                data[shard / 2].jdbcUrl("shard" + shard),
                "distributedid.ticket.servers",
                odd.jdbcUrl("tickets") + ", " + even.jdbcUrl("tickets"),
                // Far below its default, so that the few ids of a test still take many trips to the servers.
                "distributedid.block.max",
                50);
    }

    Map<String, ?> ofDirectory() {
        return Map.of("jakarta.persistence.jdbc.url", data[0].jdbcUrl("directory"));
    }

    Connection connectToShard(int shard) throws SQLException {
        return data[shard / 2].connect("shard" + shard);
    }

    Connection connectToDirectory() throws SQLException {
        return data[0].connect("directory");
    }
}
