package io.distributedid.mysql;

import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Two ticket servers of a test's own, which may do to them what it wants, each with a proxy in front of it. */
final class FaultPair implements AutoCloseable {

    static final String SCHEMA = "tickets";

    /** One of the two. */
    record Side(String name, MySqlServer server, CuttingProxy proxy) {

        @Override
        public String toString() {
            return name;
        }
    }

    private final List<Side> sides;

    private FaultPair(List<Side> sides) {
        this.sides = sides;
    }

    static FaultPair start(Path folder) throws IOException {
        return new FaultPair(List.of(start(folder, "odd", 1), start(folder, "even", 2)));
    }

    private static Side start(Path folder, String name, int offset) throws IOException {
        MySqlServer server = MySqlServer.start(
                folder.resolve(name),
                "--default-time-zone=-08:45",
                "--auto-increment-increment=2",
                "--auto-increment-offset=" + offset);
        return new Side(name, server, new CuttingProxy(server.port()));
    }

    List<Side> sides() {
        return sides;
    }

    /** For {@code ticket.servers}. */
    String urls() {
        return sides.stream().map(side -> side.server.jdbcUrl(SCHEMA)).collect(Collectors.joining(", "));
    }

    /** For {@code ticket.servers}, through the proxies. */
    String proxiedUrls() {
        return sides.stream()
                .map(side -> side.server
                        .jdbcUrl(SCHEMA)
                        .replace(":" + side.server.port() + "/", ":" + side.proxy.port() + "/"))
                .collect(Collectors.joining(", "));
    }

    @Override
    public void close() throws IOException {
        for (Side side : sides) {
            side.proxy.close();
            side.server.close();
        }
    }
}
