package io.distributedid.mysql;

import io.distributedid.testkit.KeyedServerCrashContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.RealServers;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

class KeyedServerCrashTest extends KeyedServerCrashContract {

    @BeforeAll
    static void requireMySql() {
        RealServers.requireMySql();
    }

    @Override
    protected Server start(Path home) {
        MySqlServer server = MySqlServer.start(home);
        return new Server() {

            @Override
            public String url() {
                return server.jdbcUrl("numbers");
            }

            @Override
            public void kill() {
                server.kill9();
            }

            @Override
            public void start() {
                server.restart();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }
}
