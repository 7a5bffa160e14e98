package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.StateFileNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes with one state file, whose lock is broken. */
@Tag("slow")
class StateFileFaultTest {

    private static final int ENOUGH = 5_000;

    @TempDir
    Path folder;

    private Path state;

    private Map<String, String> settings;

    @BeforeEach
    void folderOfItsOwn() throws IOException {
        state = Files.createDirectory(folder.resolve("state"));
        settings = Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "7",
                "distributedid.snowflake.state_file", state.resolve("worker-7").toString());
    }

    @Test
    void whoReadsTheFilesInTheOwnersProcessBreaksTheLockAndGivesNobodyTheNumber() throws Exception {
        try (StateFileNode owner = StateFileNode.start(folder, settings, state)) {
            await(owner, ENOUGH);
            owner.loseLocks();
            try (StateFileNode other = StateFileNode.start(folder, settings, state)) {
                Await.until(
                        "the other process takes ids or is refused",
                        () -> other.taken() >= ENOUGH || other.log().contains("refused: "),
                        other::log);
                await(owner, owner.taken() + ENOUGH);
                long[] first = owner.kill();
                await(other, other.taken() + ENOUGH);

                assertNoneTwice(first, other.kill());
            }
        }
    }

    @Test
    void aProcessThatStoodStillThroughItsWindowGivesNoIdOfItsSuccessor() throws Exception {
        try (StateFileNode owner = StateFileNode.start(folder, settings, state)) {
            await(owner, ENOUGH);
            owner.loseLocks();
            owner.signal("STOP");
            try (StateFileNode other = StateFileNode.start(folder, settings, state)) {
                await(other, ENOUGH);
                owner.signal("CONT");
                await(other, other.taken() + ENOUGH);
                other.signal("STOP");
                await(owner, owner.taken() + ENOUGH);
                other.signal("CONT");
                await(owner, owner.taken() + ENOUGH);

                assertNoneTwice(owner.kill(), other.kill());
            }
        }
    }

    @Test
    void whoIsRefusedInTheOwnersProcessDoesNotBreakTheLock() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), state);
        Map<String, String> byLink = new HashMap<>(settings);
        byLink.put("distributedid.snowflake.worker", "8");
        byLink.put(
                "distributedid.snowflake.state_file", link.resolve("worker-7").toString());
        try (DistributedIds owner = DistributedIds.create(settings);
                DistributedIds second = DistributedIds.create(settings);
                DistributedIds third = DistributedIds.create(byLink)) {
            owner.next("photos");
            assertThatThrownBy(() -> second.next("photos"))
                    .hasMessageStartingWith("Two generators in one process must not have the same worker number");
            assertThatThrownBy(() -> third.next("photos")).hasMessageStartingWith("The state file is in use: ");
            try (StateFileNode other = StateFileNode.start(folder, settings, state)) {
                Await.until("the other process is refused", () -> other.log().contains("refused: "), other::log);

                assertThat(other.log()).contains("refused: The state file is in use: ");
                assertThat(other.taken()).isZero();
            }
        }
    }

    private static void assertNoneTwice(long[] first, long[] second) {
        Set<Long> ticks = new HashSet<>();
        LongStream.of(first).map(id -> id >> 12).forEach(ticks::add);
        assertThat(LongStream.of(second).filter(id -> ticks.contains(id >> 12)).count())
                .as("ids of " + first.length + " and " + second.length + " with the same number and time")
                .isZero();
    }

    private static void await(StateFileNode node, int ids) {
        Await.until(
                "the process has taken " + ids + " ids",
                () -> node.taken() >= ids,
                () -> node.taken() + " ids; it printed: " + node.log());
    }
}
