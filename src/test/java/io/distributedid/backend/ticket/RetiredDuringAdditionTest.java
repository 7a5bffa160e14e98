package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A counter is retired between the look of an addition and its changes. */
class RetiredDuringAdditionTest {

    private static final String OLD = "jdbc:h2:mem:addition_old;DB_CLOSE_DELAY=-1";

    private static final String ADDED = "jdbc:h2:mem:addition_new;DB_CLOSE_DELAY=-1";

    private static final Object[] ROOM = {"ticket.numbering", "client", "ticket.increment", 10};

    private final GivenIds given = new GivenIds();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("addition_old", "addition_new");
    }

    @BeforeEach
    void create() throws SQLException {
        DatabaseRows.execute(
                ADDED,
                "CREATE TABLE Tickets64 (id BIGINT NOT NULL, stub CHAR(1) NOT NULL DEFAULT '', PRIMARY KEY (stub))");
    }

    private static Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", OLD);
        for (int i = 0; i < ROOM.length; i += 2) {
            settings.put("distributedid." + ROOM[i], ROOM[i + 1]);
        }
        return settings;
    }

    @Test
    void theNewServerGivesNoIds() {
        try (DistributedIds old = GivenIds.tickets(List.of(OLD), ROOM);
                TicketServerAddition addition = TicketServerAddition.of(settings(), List.of("photos"), ADDED)) {
            given.take(old, 15);
            addition.look();
            old.retire("photos");

            assertThatThrownBy(addition::add)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The counter was retired while a server was added: table=Tickets64 on"
                            + " jdbc:h2:mem:addition_old");
        }
        try (DistributedIds both = GivenIds.tickets(List.of(OLD, ADDED), ROOM)) {
            assertThatThrownBy(() -> both.next("photos")).isInstanceOf(IdConfigurationException.class);
        }
    }
}
