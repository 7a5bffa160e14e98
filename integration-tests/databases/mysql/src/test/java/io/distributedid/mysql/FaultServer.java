package io.distributedid.mysql;

import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.sql.SQLException;

/** One of {@link MySqlServers}, with an empty schema of the test's own, and a proxy in front of it. */
record FaultServer(String name, String schema, MySqlServer server, CuttingProxy proxy) {

    static FaultServer of(String name, MySqlServer server, String schema) throws IOException, SQLException {
        DatabaseRows.execute(server.jdbcUrl("mysql"), "DROP DATABASE IF EXISTS " + schema);
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
