package io.distributedid.zookeeper;

import java.util.Map;
import org.apache.curator.test.TestingServer;

/** The server of these tests, started when it is first needed. */
final class ZooKeeper {

    private static final TestingServer SERVER = start();

    private ZooKeeper() {}

    static TestingServer server() {
        return SERVER;
    }

    /** The settings of a store below a path. */
    static Map<String, String> store(String path) {
        return store(SERVER, path);
    }

    static Map<String, String> store(TestingServer server, String path) {
        return Map.of(
                "distributedid.snowflake.lease.store",
                "zookeeper",
                "distributedid.snowflake.lease.zookeeper",
                server.getConnectString(),
                "distributedid.snowflake.lease.path",
                path,
                "distributedid.create_tables",
                "true");
    }

    private static TestingServer start() {
        try {
            return new TestingServer(true);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
