package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.RaiseContract;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class H2RaiseTest extends RaiseContract {

    private static final long FAR = 50_000_000_000L;

    private final Set<String> databases = new HashSet<>();

    @Override
    protected List<String> urls(String name) {
        return Stream.of(name + "_odd", name + "_even").map(this::url).toList();
    }

    private String url(String database) {
        databases.add(database);
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    @AfterEach
    void drop() throws SQLException {
        for (String each : databases) {
            H2Servers.drop(each);
        }
    }

    @Test
    void aFarRaiseThatWasCutOffIsEndedByTheNextOne() {
        CountedTrips even = new CountedTrips(url("cut_even"));
        List<Object> servers = List.of(new CountedTrips(url("cut_odd")), even);
        try (DistributedIds ids = GivenIds.sequenceTable(servers)) {
            ids.next("photos");
            even.before(trip -> {
                if (trip.startsWith("MERGE INTO sequence")) {
                    throw new SQLException("cut off", "08006");
                }
            });
            assertThatThrownBy(() -> ids.admin().raise("photos", FAR)).isInstanceOf(RuntimeException.class);
        }
        even.before(trip -> {});
        try (DistributedIds ids = GivenIds.sequenceTable(servers)) {
            ids.admin().raise("photos", FAR);
            for (int i = 0; i < 4; i++) {
                assertThat(ids.next("photos")).isGreaterThan(FAR);
            }
        }
    }
}
