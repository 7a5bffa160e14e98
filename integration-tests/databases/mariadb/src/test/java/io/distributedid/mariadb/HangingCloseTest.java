package io.distributedid.mariadb;

import io.distributedid.testkit.HangingCloseContract;
import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;

/** The end of a process while two MariaDB servers hang. */
@Needs(Need.MARIADB)
class HangingCloseTest extends HangingCloseContract {

    private static final List<MariaDbServer> SERVERS = List.of(MariaDbServers.odd(), MariaDbServers.even());

    @Override
    protected List<String> urls() {
        return SERVERS.stream().map(server -> server.jdbcUrl("hanging")).toList();
    }

    @Override
    protected List<Integer> ports() {
        return SERVERS.stream().map(MariaDbServer::port).toList();
    }

    /**
     * The driver's abort() of a connection in use asks the server to kill it, on another connection: against a hung
     * server that takes this.
     */
    @Override
    protected String timeout() {
        return "5s";
    }

    @Override
    protected void hang(int server) {
        SERVERS.get(server).pause();
    }

    @Override
    protected void goOn() {
        SERVERS.forEach(MariaDbServer::resume);
    }
}
