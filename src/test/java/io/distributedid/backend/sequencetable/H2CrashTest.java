package io.distributedid.backend.sequencetable;

import io.distributedid.testkit.CrashContract;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2CrashTest extends CrashContract {

    private H2Servers servers;

    @BeforeEach
    void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterEach
    void stop() throws SQLException {
        servers.close();
        H2Servers.drop("crashes");
    }

    @Override
    protected int kills() {
        return 12;
    }

    @Override
    protected String server() {
        return servers.url("crashes");
    }
}
