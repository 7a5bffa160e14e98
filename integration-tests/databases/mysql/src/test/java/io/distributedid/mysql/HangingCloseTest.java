package io.distributedid.mysql;

import io.distributedid.testkit.HangingCloseContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The end of a process while two MySQL servers of this test, with tickets, hang. */
@Needs(Need.MYSQL)
class HangingCloseTest extends HangingCloseContract {

    private static final List<MySqlServer> SERVERS = new ArrayList<>();

    @BeforeAll
    static void start(@TempDir Path folder) {
        for (int offset = 1; offset <= 2; offset++) {
            SERVERS.add(MySqlServer.start(
                    folder.resolve("server" + offset),
                    "--auto-increment-increment=2",
                    "--auto-increment-offset=" + offset));
        }
    }

    @Override
    protected List<String> urls() {
        return SERVERS.stream().map(server -> server.jdbcUrl("hanging")).toList();
    }

    @Override
    protected List<Integer> ports() {
        return SERVERS.stream().map(MySqlServer::port).toList();
    }

    @Override
    protected String servers() {
        return "distributedid.ticket.servers";
    }

    @Override
    protected Map<String, String> counting() {
        return Map.of(
                "distributedid.backend",
                "ticket",
                servers(),
                String.join(", ", urls()),
                "distributedid.create_tables",
                "true");
    }

    @Override
    protected void hang(int server) {
        SERVERS.get(server).pause();
    }

    @Override
    protected void goOn() {
        SERVERS.forEach(MySqlServer::resume);
    }
}
