package io.distributedid.mysql;

import io.distributedid.testkit.HangingCloseContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;
import java.util.Map;

/** The end of a process while two MySQL servers, with tickets, hang. */
@Needs(Need.MYSQL)
class HangingCloseTest extends HangingCloseContract {

    private static final List<MySqlServer> SERVERS = List.of(MySqlServers.odd(), MySqlServers.even());

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
