package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Without a server. */
class ZooKeeperWorkerStoreTest {

    @Test
    void aClientThatCouldNotBeStartedIsStartedByTheNextCall() {
        ZooKeeperPlace place = new ZooKeeperPlace("127.0.0.1:1", "/workers", Optional.empty());
        try (WorkerStore store = new ZooKeeperWorkerStore(place, Duration.ofMillis(100))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> store.read(0, 0)).isInstanceOf(InterruptedException.class);

            assertThatThrownBy(() -> store.read(0, 0))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessageStartingWith("/workers on 127.0.0.1:1 said: KeeperErrorCode = ");
        }
    }
}
