package io.distributedid.mysql;

import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server of a test's own, which may do to it what it wants, with a proxy in front of it. */
record FaultServer(String name, String schema, MySqlServer server, CuttingProxy proxy) {

    static FaultServer start(Path folder, String name, String schema, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--default-time-zone=-08:45"));
        all.addAll(List.of(arguments));
        MySqlServer server = MySqlServer.start(folder.resolve(name), all.toArray(String[]::new));
        return new FaultServer(name, schema, server, new CuttingProxy(server.port()));
    }

    String url() {
        return server.jdbcUrl(schema);
    }

    /** Through the proxy. */
    String proxiedUrl() {
        return url().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    }

    @Override
    public String toString() {
        return name;
    }
}
