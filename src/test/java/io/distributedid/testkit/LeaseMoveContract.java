package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Worker numbers move to another place while processes draw ids: one is killed, one stops, one sleeps through its
 * windows and wakes up when the move has ended. No two of them put the same number and tick into an id.
 */
public abstract class LeaseMoveContract {

    private static final String LEASE = "distributedid.snowflake.lease.";

    private static final int SEQUENCE_BITS = 12;

    @TempDir
    Path folder;

    private final List<LeaseNode> running = new ArrayList<>();

    private final List<LeaseNode> all = new ArrayList<>();

    /** Where the numbers are leased before: a store without rows. */
    protected abstract Map<String, String> oldStore();

    /** Where they are leased afterwards: another store without rows. */
    protected abstract Map<String, String> newStore();

    @AfterEach
    void killAll() {
        all.forEach(LeaseNode::close);
    }

    @Test
    void noTickOfANumberIsUsedByTwoProcessesWhileNumbersMove() throws Exception {
        Map<String, String> both = new HashMap<>(newStore());
        oldStore().forEach((name, value) -> {
            if (name.startsWith(LEASE)) {
                both.put(name.replace(LEASE, LEASE + "moving_from."), value);
            }
        });
        for (int i = 0; i < 3; i++) {
            start(oldStore());
        }
        LeaseNode killed = running.remove(0);
        LeaseNode stopped = running.remove(0);
        LeaseNode sleeping = running.remove(0);
        start(both);
        killed.kill();
        start(both);
        stopped.stop();
        sleeping.signal("STOP");
        start(both);

        try (DistributedIds command = DistributedIds.create(settings(both))) {
            assertThat(command.finishMove("faults", true))
                    .extracting(CheckResult::what)
                    .containsExactly("old place", "new place");
        }
        awaitIds();
        sleeping.signal("CONT");
        for (int i = 0; i < 3; i++) {
            start(newStore());
            LeaseNode left = running.remove(0);
            if (i == 0) {
                left.kill();
            } else {
                left.stop();
            }
        }
        awaitIds();
        for (LeaseNode node : List.of(sleeping, running.get(0), running.get(1), running.get(2))) {
            node.kill();
        }
        assertOwnedOnce();
    }

    private void assertOwnedOnce() {
        long[] owned = all.stream()
                .flatMapToLong(node ->
                        LongStream.of(node.ids()).map(id -> id >> SEQUENCE_BITS).distinct())
                .toArray();
        System.out.println("lease move: processes=" + all.size() + " ids="
                + all.stream().mapToLong(node -> node.ids().length).sum() + " ticks=" + owned.length);
        assertThat(owned).hasSizeGreaterThan(1_000).doesNotHaveDuplicates();
    }

    private void start(Map<String, String> store) throws Exception {
        LeaseNode node = LeaseNode.start(folder, settings(store));
        running.add(node);
        all.add(node);
        awaitIds();
    }

    private static Map<String, String> settings(Map<String, String> store) {
        Map<String, String> settings = new HashMap<>(store);
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put(LEASE + "window", "2s");
        return settings;
    }

    /** Returns when every process that runs has taken more ids. */
    private void awaitIds() {
        for (LeaseNode node : running) {
            node.awaitMore(500);
        }
    }
}
