package io.distributedid.mysql;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Two ticket servers. */
final class FaultPair {

    static final String SCHEMA = "fault_pair";

    private final List<FaultServer> sides;

    private FaultPair(List<FaultServer> sides) {
        this.sides = sides;
    }

    static FaultPair empty() throws IOException, SQLException {
        return new FaultPair(List.of(
                FaultServer.of("odd", MySqlServers.odd(), SCHEMA),
                FaultServer.of("even", MySqlServers.even(), SCHEMA)));
    }

    List<FaultServer> sides() {
        return sides;
    }

    /** For {@code ticket.servers}. */
    String urls() {
        return sides.stream().map(FaultServer::url).collect(Collectors.joining(", "));
    }

    /** For {@code ticket.servers}, through the proxies. */
    String proxiedUrls() {
        return sides.stream().map(FaultServer::proxiedUrl).collect(Collectors.joining(", "));
    }
}
