package quickstart;

import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.tools.Server;

/** Two ticket servers. Each is a database server of its own on a free port, so that one can be taken away. */
final class TicketPair implements Backend {

    private final Server server1 = start("mem:tickets1");

    private final Server server2 = start("mem:tickets2");

    TicketPair() throws SQLException {}

    /** Each offers its database as "tickets"; within this process the two need different names. */
    private static Server start(String database) throws SQLException {
        return Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-key", "tickets", database)
                .start();
    }

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public Map<String, Object> settings(int shard) {
        String servers = Stream.of(server1, server2)
                .map(server -> "jdbc:h2:tcp://localhost:" + server.getPort() + "/tickets;DB_CLOSE_DELAY=-1")
                .collect(Collectors.joining(", "));
        // The block is far below its default, so that the few ids of this example still take many trips to the servers.
        return Map.of("distributedid.ticket.servers", servers, "distributedid.block.max", 50);
    }

    @Override
    public String state() {
        return server1.isRunning(false) ? "both servers up" : "server 1 down";
    }

    @Override
    public void halfway(Report report) {
        server1.stop();
        report.say("stopped ticket server 1");
    }

    @Override
    public void close() {
        server1.stop();
        server2.stop();
    }
}
