package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Worker numbers move to another place, and the layout changes, after processes were stopped and killed; one that was
 * forgotten sleeps meanwhile. No two processes put the same number and tick into an id.
 */
public abstract class LeaseMoveContract {

    private static final String SEQUENCE = "faults";

    private static final int SEQUENCE_BITS = 12;

    @TempDir
    Path folder;

    private final List<LeaseNode> all = new ArrayList<>();

    /** Where the numbers are leased before, and afterwards: two stores without rows. */
    protected abstract List<Map<String, String>> stores();

    @AfterEach
    void killAll() {
        all.forEach(LeaseNode::close);
    }

    @Test
    void noTickOfANumberIsUsedByTwoProcessesAfterAMove() throws Exception {
        Map<String, String> from = stores().get(0);
        Map<String, String> to = stores().get(1);
        LeaseNode killed = start(from);
        LeaseNode stopped = start(from);
        LeaseNode sleeping = start(from);
        killed.kill();
        stopped.stop();
        try (DistributedIds early = DistributedIds.create(settings(to))) {
            assertThatThrownBy(() -> early.admin().move(SEQUENCE, move(from)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A process runs, or was killed a moment ago: ");
        }
        sleeping.signal("STOP");
        Await.every(Duration.ofMillis(100), Await.PATIENCE, "windows are over", () -> moves(from, to), () -> false);
        LeaseNode next = start(to);
        sleeping.signal("CONT");
        LeaseNode another = start(to);
        try (DistributedIds old = DistributedIds.create(settings(from))) {
            assertThatThrownBy(() -> old.next(SEQUENCE)).hasMessageContaining("The leases have moved from ");
        }
        for (LeaseNode node : List.of(next, another, sleeping)) {
            node.kill();
        }

        assertOwnedOnce();
    }

    private static boolean moves(Map<String, String> from, Map<String, String> to) {
        try (DistributedIds tool = DistributedIds.create(settings(to))) {
            tool.admin().move(SEQUENCE, move(from));
            return true;
        } catch (IdConfigurationException e) {
            assertThat(e).hasMessageStartingWith("A process runs, or was killed a moment ago: ");
            return false;
        }
    }

    private static CounterMove move(Map<String, String> from) {
        return new CounterMove(Kind.PLACE, List.of(settings(from)), 0, Set.of(), false, jump -> {}, token -> {});
    }

    @Test
    void theLayoutChangesWhileNoProcessRuns() {
        Map<String, String> old = settings(stores().get(0));
        Map<String, String> next = new HashMap<>(old);
        next.put("distributedid.snowflake.layout", "time(ms):41, worker:9, sequence:13");
        long last;
        try (DistributedIds ids = DistributedIds.create(old);
                DistributedIds tool = DistributedIds.create(next)) {
            last = ids.next(SEQUENCE);
            assertThatThrownBy(() -> tool.next(SEQUENCE)).hasMessageStartingWith("A sequence must keep its layout");
        }
        try (DistributedIds tool = DistributedIds.create(next)) {
            assertThat(tool.admin().changeLayout(SEQUENCE, false))
                    .startsWith("time(ms):41, worker:10, sequence:12 from ");
            assertThat(tool.next(SEQUENCE)).isGreaterThan(last);
        }
        try (DistributedIds ids = DistributedIds.create(old)) {
            assertThatThrownBy(() -> ids.next(SEQUENCE)).hasMessageStartingWith("A sequence must keep its layout");
        }
    }

    private void assertOwnedOnce() {
        long[] owned = all.stream()
                .flatMapToLong(node ->
                        LongStream.of(node.ids()).map(id -> id >> SEQUENCE_BITS).distinct())
                .toArray();
        System.out.println("lease move: processes=" + all.size() + " ticks=" + owned.length);
        assertThat(owned).hasSizeGreaterThan(500).doesNotHaveDuplicates();
    }

    private LeaseNode start(Map<String, String> store) throws Exception {
        LeaseNode node = LeaseNode.start(folder, settings(store));
        all.add(node);
        node.awaitMore(500);
        return node;
    }

    private static Map<String, String> settings(Map<String, String> store) {
        Map<String, String> settings = new HashMap<>(store);
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.lease.window", "4s");
        settings.put("distributedid.timeout", "30s");
        return settings;
    }
}
