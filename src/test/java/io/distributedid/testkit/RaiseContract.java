package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Starts that raise counters above the ids that exist, as {@code existing_ids=raise} does. */
public abstract class RaiseContract {

    private static final int STARTS = 3;

    private static final int SEQUENCES = 12;

    /** More than {@code max_distance} above a new counter, and not twice as much, as a lost one is raised. */
    private static final long EXISTING = 15_000_000;

    /** The URLs of two empty databases, best on two servers. Called several times, with the same result. */
    protected abstract List<String> urls(String name) throws SQLException;

    private static List<String> names() {
        return IntStream.range(0, SEQUENCES).mapToObj(i -> "s" + i).toList();
    }

    @Test
    void startsAtOnceGiveNoIdTwiceAndNoneThatExists() throws Exception {
        startAtOnce("raise_at_once", EXISTING, ids -> {});
    }

    @Test
    void startsAtOnceThatRaiseTogetherGiveNoIdTwice() throws Exception {
        Map<String, List<Long>> existing = new HashMap<>();
        names().forEach(name -> existing.put(name, List.of(EXISTING)));
        startAtOnce("raise_together", EXISTING, ids -> {
            ids.admin().prepare(names());
            ids.admin().prepareRaiseAbove(existing);
        });
    }

    private void startAtOnce(String database, long existing, Consumer<DistributedIds> preparation) throws Exception {
        String servers = String.join(",", urls(database));
        Set<String> given = ConcurrentHashMap.newKeySet();
        Together.run(STARTS, start -> {
            try (DistributedIds ids =
                    GivenIds.sequenceTable(servers, "block.min", 2, "block.max", 2, "block.timeout", "1m")) {
                preparation.accept(ids);
                for (String name : names()) {
                    ids.admin().raise(name, existing);
                    for (int i = 0; i < 5; i++) {
                        long id = ids.next(name);
                        assertThat(id).isGreaterThan(existing).isLessThan(existing + 10_000);
                        assertThat(given.add(name + " " + id))
                                .as(name + " " + id)
                                .isTrue();
                    }
                }
            }
            return null;
        });
        assertThat(given).hasSize(STARTS * SEQUENCES * 5);
    }
}
