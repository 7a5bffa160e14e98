package io.distributedid.crac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.internal.registry.Checkpoints;
import io.distributedid.spi.IdSource;
import io.distributedid.testkit.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.crac.Context;
import org.crac.Core;
import org.junit.jupiter.api.Test;

/** Uses the {@code javax.crac} of the test class path in place of the JVM's. */
class CracCheckpointsTest {

    private static DistributedIds open(String database) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1",
                "distributedid.create_tables",
                "true"));
    }

    @Test
    void idsThatWereBuiltAreSuspendedBeforeACheckpointAndResumedAfterARestore() throws Exception {
        try (DistributedIds ids = open("crac_registered")) {
            IdSource photos = ids.sequence("photos");
            assertThat(photos.next()).isEqualTo(1);
            Context<?> global = javax.crac.Core.getGlobalContext();

            global.beforeCheckpoint(null);
            assertThat(ids.health().sequences())
                    .singleElement()
                    .satisfies(health -> assertThat(health.reason()).startsWith("ids are suspended"));

            global.afterRestore(null);
            assertThat(photos.next()).isEqualTo(17);
        }
    }

    @Test
    void aCheckpointLeavesClosedIdsAlone() throws Exception {
        DistributedIds ids = open("crac_closed");
        ids.next("photos");
        ids.close();

        Core.checkpointRestore();

        assertThatThrownBy(() -> ids.next("photos")).hasMessageStartingWith("The source of ids is closed");
    }

    @Test
    void closedIdsAreCollected() {
        WeakReference<DistributedIds> closed = new WeakReference<>(openAndClose());
        Await.until("they are collected", () -> {
            System.gc();
            return closed.refersTo(null);
        });
    }

    private static DistributedIds openAndClose() {
        DistributedIds ids = open("crac_collected");
        ids.next("photos");
        ids.close();
        return ids;
    }

    @Test
    void theResourceTellsItsTargetAndDoesNotHoldIt() throws Exception {
        List<String> told = new ArrayList<>();
        Checkpoints.Target target = new Checkpoints.Target() {
            @Override
            public void suspend() {
                told.add("suspend");
            }

            @Override
            public void resume() {
                told.add("resume");
            }
        };
        CracCheckpoints.SequencesResource resource = CracCheckpoints.SequencesResource.registered(target);
        resource.beforeCheckpoint(Core.getGlobalContext());
        resource.afterRestore(Core.getGlobalContext());
        assertThat(told).containsExactly("suspend", "resume");

        WeakReference<Checkpoints.Target> seen = new WeakReference<>(target);
        target = null;
        Await.until("the target is collected", () -> {
            System.gc();
            return seen.refersTo(null);
        });
        resource.beforeCheckpoint(Core.getGlobalContext());
        assertThat(told).hasSize(2);
    }
}
