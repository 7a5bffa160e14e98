package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.sequencetable.SequenceTableMove;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** From N servers to N + 1 and back, while clients run. */
public abstract class SequenceTableMoveContract {

    /** Three databases without a table {@code sequence}. */
    protected abstract List<DataSource> servers();

    @Test
    void noIdIsGivenTwiceWhenATableMovesToMoreServersAndBack() throws Exception {
        List<DataSource> three = servers();
        List<DataSource> one = three.subList(0, 1);
        List<DataSource> two = three.subList(0, 2);
        Set<Long> taken = new HashSet<>();

        DistributedIds before = open(one);
        take(before, taken, 50);
        SequenceTableMove.move(one, two, "sequence");
        assertRefused(before);
        assertThatThrownBy(() -> open(one).next("photos")).isInstanceOf(IdConfigurationException.class);

        DistributedIds onTwo = open(two);
        take(onTwo, taken, 50);
        SequenceTableMove.move(two, three, "sequence");
        SequenceTableMove.move(two, three, "sequence");
        assertRefused(onTwo);

        DistributedIds onThree = open(three);
        take(onThree, taken, 50);
        SequenceTableMove.move(three, one, "sequence");
        assertRefused(onThree);
        try (DistributedIds after = open(one)) {
            take(after, taken, 50);
        }

        assertThat(taken).hasSize(200);
        for (DistributedIds closed : List.of(before, onTwo, onThree)) {
            closed.close();
        }
    }

    @Test
    void aMoveBetweenTheWrongServersIsRefused() throws Exception {
        List<DataSource> three = servers();
        open(three.subList(0, 2)).next("photos");

        assertThatThrownBy(() -> SequenceTableMove.move(three.subList(1, 2), three, "sequence"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A server's table is not what the old list makes it: ")
                .hasMessageEndingWith(
                        "table=sequence, expected: server 1 of 1, found: server 2 of 2 state=open. List the"
                                + " servers as the applications had them, and the new ones");
        assertThatThrownBy(() -> SequenceTableMove.move(three, three, "sequence"))
                .hasMessageContaining("table=sequence, expected: server 1 of 3, found: server 1 of 2 state=open");
    }

    private static DistributedIds open(List<DataSource> servers) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                servers,
                "distributedid.sequence_table.create_table",
                true,
                "distributedid.block.max",
                1,
                "distributedid.block.timeout",
                "300ms"));
    }

    private static void take(DistributedIds ids, Set<Long> taken, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(taken.add(ids.next("photos"))).as("new id").isTrue();
        }
    }

    private static void assertRefused(DistributedIds ids) {
        assertThatThrownBy(() -> ids.next("photos")).isInstanceOf(IdUnavailableException.class);
    }
}
