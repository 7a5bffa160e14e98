package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SwitchingDataSource;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A sequence is used for the first time while a server is down. */
class FirstUseTest {

    private static final String ODD = "jdbc:h2:mem:first_odd;DB_CLOSE_DELAY=-1";

    private static final String EVEN = "jdbc:h2:mem:first_even;DB_CLOSE_DELAY=-1";

    private static final String ALL =
            "All servers must answer a client that uses a counter for the first time: table=TicketsPhotos";

    private final SwitchingDataSource odd = new SwitchingDataSource(ODD);

    private final SwitchingDataSource even = new SwitchingDataSource(EVEN);

    private final GivenIds given = new GivenIds();

    /** The sequence {@code photos} has a table of its own. */
    private static DistributedIds client(String timeout, SwitchingDataSource... servers) {
        return GivenIds.tickets(
                List.of(servers),
                "ticket.numbering",
                "client",
                "seq.photos.ticket.table",
                "TicketsPhotos",
                "block.timeout",
                timeout);
    }

    private void use(String sequence, SwitchingDataSource... servers) {
        try (DistributedIds ids = client("1m", servers)) {
            assertThat(ids.next(sequence)).isPositive();
        }
    }

    private void assertRefused(String reason, SwitchingDataSource... servers) {
        try (DistributedIds ids = client("1s", servers)) {
            given.takeUntilRefusedFor(ids, 1, reason);
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("first_odd", "first_even");
    }

    @Test
    void aSequenceOfATableThatIsInUseNeedsOneServerAndOneWithATableOfItsOwnNeedsAll() throws SQLException {
        use("users", odd, even);
        even.cut();
        use("albums", odd, even);
        assertRefused(ALL, odd, even);

        even.to(EVEN);
        use("photos", odd, even);
        even.cut();
        use("photos", odd, even);
    }

    /** Had the first client claimed one server alone, the second would give the same ids from the other. */
    @Test
    void twoClientsWithListsInAnotherOrderThatSeeOneServerEachGiveNoIdTwice() throws SQLException {
        even.cut();
        assertRefused(ALL, odd, even);
        even.to(EVEN);
        odd.cut();
        assertRefused(ALL, even, odd);

        odd.to(ODD);
        use("photos", odd, even);
        odd.cut();
        assertRefused("Clients must number the servers alike", even, odd);
    }
}
