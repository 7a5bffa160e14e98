package io.distributedid.internal.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlaceCheckTest {

    private static final IdPlace PLACE =
            new IdPlace("Order", "id", "orders", false, false, "orders", "id", Optional.empty());

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("place_check");
    }

    private static Map<String, String> strict(String owner) {
        return new HashMap<>(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "exclusive",
                "distributedid.snowflake.layout", "strict",
                "distributedid.snowflake.lease.server", "jdbc:h2:mem:place_check;DB_CLOSE_DELAY=-1",
                "distributedid.create_tables", "true",
                "distributedid.snowflake.lease.owner", owner,
                "distributedid.existing_ids", "raise"));
    }

    /** The active process gives the ids, and was compared when it started. */
    @Test
    void aStandbyProcessStartsThoughItCanNotRaise() throws SQLException {
        try (DistributedIds active = DistributedIds.create(strict("first"));
                DistributedIds standby = DistributedIds.create(strict("second"));
                LoggedWarnings warnings = LoggedWarnings.of(PlaceCheckTest.class)) {
            long existing = active.next("orders");
            standby.sequence("orders");

            new PlaceCheck(
                            PLACE,
                            standby,
                            Settings.of(strict("second")),
                            System.getLogger(PlaceCheckTest.class.getName()))
                    .compare((step, distance) -> List.of(existing));

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("A sequence was not raised, since another process gives its ids: seq=orders. This"
                            + " process is standby, and another one gives the ids: active=first");
        }
    }
}
