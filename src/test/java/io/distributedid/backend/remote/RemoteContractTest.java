package io.distributedid.backend.remote;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.IssuingServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Two servers over one table, which serve blocks: one for each node, since another server helps out if the first is
 * slow, and its ids may be older. {@link RemoteBackendTest} has clients of both.
 */
class RemoteContractTest extends BackendContract {

    private static List<DistributedIds> behind;

    private static List<IssuingServer> servers;

    @BeforeAll
    static void start() {
        behind = Stream.generate(() -> DistributedIds.builder()
                        .settings(IssuingServer.settings("jdbc:h2:mem:remote_contract;DB_CLOSE_DELAY=-1"))
                        .tokensComparedByCaller()
                        .build())
                .limit(2)
                .toList();
        servers = behind.stream().map(IssuingServer::start).toList();
    }

    @AfterAll
    static void stop() throws SQLException {
        servers.forEach(IssuingServer::close);
        behind.forEach(DistributedIds::close);
        H2Servers.drop("remote_contract");
    }

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                DistributedIdSettings.BACKEND,
                "remote",
                DistributedIdSettings.REMOTE_SERVERS,
                servers.get(node).url(),
                DistributedIdSettings.REMOTE_TIMEOUT,
                "30s");
    }

    @Override
    protected int ascendingStreams() {
        return 1;
    }

    @Override
    protected boolean fitsInteger() {
        return true;
    }
}
