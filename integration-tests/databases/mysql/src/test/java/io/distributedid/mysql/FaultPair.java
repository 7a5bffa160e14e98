package io.distributedid.mysql;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Two ticket servers. */
final class FaultPair {

    static final String SCHEMA = "tickets";

    private final List<FaultServer> sides;

    private FaultPair(List<FaultServer> sides) {
        this.sides = sides;
    }

    static FaultPair start(Path folder) throws IOException {
        return new FaultPair(List.of(start(folder, "odd", 1), start(folder, "even", 2)));
    }

    private static FaultServer start(Path folder, String name, int offset) throws IOException {
        return FaultServer.start(
                folder, name, SCHEMA, "--auto-increment-increment=2", "--auto-increment-offset=" + offset);
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
