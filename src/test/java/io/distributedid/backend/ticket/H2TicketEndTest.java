package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdsExhaustedException;
import io.distributedid.testkit.GivenIds;
import org.junit.jupiter.api.Test;

/** A ticket table at the end of its column, and its neighbour on the same server. */
class H2TicketEndTest {

    @Test
    void onlyTheCallersOfItsSequenceGetAnError() {
        try (DistributedIds ids = GivenIds.tickets(
                "jdbc:h2:mem:end;DB_CLOSE_DELAY=-1",
                "ticket.numbering",
                "client",
                "block.min",
                1,
                "block.max",
                1,
                "ticket.increment",
                1,
                "seq.bad.ticket.table",
                "Small",
                "seq.bad.ticket.bits",
                32)) {
            assertThat(ids.next("good")).isEqualTo(1);
            ids.admin().raise("bad", Integer.MAX_VALUE - 10L);

            for (int id = 2; id <= 50; id++) {
                assertThatThrownBy(() -> takeAll(ids)).isInstanceOf(IdsExhaustedException.class);
                assertThat(ids.next("good")).isEqualTo(id);
            }
        }
    }

    private static void takeAll(DistributedIds ids) {
        for (int i = 0; i < 20; i++) {
            ids.next("bad");
        }
    }
}
