package io.distributedid.server;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.WorkerStoreContract;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;

/** Two servers over one table of H2. */
class ServedWorkerStoreContractTest extends WorkerStoreContract {

    private static final Map<Integer, List<RunningServer>> SERVERS = new HashMap<>();

    @AfterAll
    static void stop() throws SQLException {
        SERVERS.values().forEach(servers -> servers.forEach(RunningServer::close));
        SERVERS.clear();
        H2Servers.drop("contract_workers");
    }

    @Override
    protected Map<String, String> settings(int test) {
        return Map.of(
                "distributedid.snowflake.lease.store",
                "service",
                "distributedid.snowflake.lease.service",
                SERVERS.computeIfAbsent(test, ServedWorkerStoreContractTest::started).stream()
                        .map(server -> server.server().url())
                        .collect(Collectors.joining(", ")));
    }

    private static List<RunningServer> started(int test) {
        return Stream.generate(() -> RunningServer.with(Map.of(
                        "server.workers", "true",
                        "snowflake.lease.server", "jdbc:h2:mem:contract_workers;DB_CLOSE_DELAY=-1",
                        "snowflake.lease.table", "worker" + test,
                        "create_tables", "true",
                        "timeout", "30s")))
                .limit(2)
                .toList();
    }
}
