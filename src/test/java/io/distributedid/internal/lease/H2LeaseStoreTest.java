package io.distributedid.internal.lease;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SqlLeaseStoreContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2LeaseStoreTest extends SqlLeaseStoreContract {

    @AfterAll
    static void drop() throws SQLException {
        H2Servers.drop("lease_store");
    }

    @Override
    protected String url() {
        return "jdbc:h2:mem:lease_store;DB_CLOSE_DELAY=-1";
    }
}
