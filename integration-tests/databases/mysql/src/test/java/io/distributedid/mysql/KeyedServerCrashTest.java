package io.distributedid.mysql;

import io.distributedid.testkit.KeyedServerCrashContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;

@Needs(Need.MYSQL)
class KeyedServerCrashTest extends KeyedServerCrashContract {

    @Override
    protected Server start(Path home) {
        MySqlServer server = MySqlServers.shard(0);
        return new Server() {

            @Override
            public String url() {
                return server.jdbcUrl("crashed_numbers");
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
                // It serves other classes too.
            }
        };
    }
}
