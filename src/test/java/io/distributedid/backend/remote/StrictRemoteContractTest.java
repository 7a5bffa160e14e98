package io.distributedid.backend.remote;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.IssuingServer;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** One active server and a standby, which serve sequences in strict order. */
@Tag("slow")
class StrictRemoteContractTest extends BackendContract {

    private static DistributedIds behind;

    private static IssuingServer active;

    private static IssuingServer standby;

    @BeforeAll
    static void start() {
        behind = DistributedIds.builder()
                .settings(IssuingServer.settings("jdbc:h2:mem:strict_contract;DB_CLOSE_DELAY=-1"))
                .tokensComparedByCaller()
                .build();
        active = IssuingServer.start(behind).kind("strict");
        standby = IssuingServer.start(behind).kind("strict");
        standby.standbyOf(active.url());
    }

    @AfterAll
    static void stop() throws SQLException {
        standby.close();
        active.close();
        behind.close();
        H2Servers.drop("strict_contract");
    }

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                DistributedIdSettings.BACKEND,
                "remote",
                DistributedIdSettings.REMOTE_SERVERS,
                standby.url() + ", " + active.url(),
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
