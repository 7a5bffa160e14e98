package io.distributedid.maelstrom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of a store when messages are lost or come twice. */
class CellWorkerStoreTest {

    private final LocalService linKv = new LocalService(new LinKv()::answer);

    private final CellWorkerStore store = store(linKv, "lin-kv");

    private static CellWorkerStore store(LocalService service, String name) {
        return new CellWorkerStore(
                new ServiceCell(service.peers("n0"), name, "workers", name.equals("lww-kv")), InstantSource.system());
    }

    private static WorkerRow row(long worker, long until) {
        return new WorkerRow(worker, "app-1 pid 17", until, UUID.randomUUID().toString());
    }

    @Test
    void aReplacementWhoseRequestCameTwiceIsDone() throws Exception {
        WorkerRow first = row(7, 1_000);
        WorkerRow second = row(7, 2_000);
        store.compareAndSet(null, first);
        linKv.doubles();

        assertThat(store.compareAndSet(first, second)).isTrue();
        assertThat(store.compareAndSet(first, row(7, 3_000))).isFalse();
        assertThat(store.read(7, 7).rows()).containsExactly(second);
    }

    @Test
    void aReplacementWhoseAnswerIsLostIsAnErrorAndMayBeDone() throws Exception {
        WorkerRow row = row(7, 1_000);
        linKv.losesAnswersTo("cas");

        assertThatThrownBy(() -> store.compareAndSet(null, row))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessage("lin-kv has not answered cas in 100 ms");
        assertThat(store.read(7, 7).rows()).containsExactly(row);
    }

    @Test
    void anErrorOfTheServiceIsAFailureOfTheStore() {
        LocalService broken = new LocalService(message -> message.refusal(Errors.TEMPORARILY_UNAVAILABLE, "no quorum"));

        assertThatThrownBy(() -> store(broken, "lin-kv").read(0, 9))
                .isInstanceOf(WorkerStoreException.class)
                .hasMessageStartingWith("lin-kv key=workers answered ")
                .hasMessageContaining("no quorum");
    }

    @Test
    void aStoreOfLinKvIsCreatedByOneCompareAndSet() throws Exception {
        Cell one = new ServiceCell(linKv.peers("n0"), "lin-kv", "other", false);
        Cell other = new ServiceCell(linKv.peers("n1"), "lin-kv", "other", false);

        assertThat(one.read()).isEmpty();
        assertThat(one.compareAndSet(Optional.empty(), "one")).isTrue();
        assertThat(other.compareAndSet(Optional.empty(), "other")).isFalse();
        assertThat(other.read()).contains("one");
    }

    @Test
    void ofTwoWhoReplaceOneRowOverLwwKvBothMaySucceed() throws Exception {
        LocalService lwwKv = new LocalService(LwwKv.byChance(new Random(1))::answer);
        int both = 0;
        for (int i = 0; i < 100; i++) {
            boolean one = store(lwwKv, "lww-kv").compareAndSet(null, row(i, 1_000));
            boolean other = store(lwwKv, "lww-kv").compareAndSet(null, row(i, 1_000));
            both += one && other ? 1 : 0;
        }

        assertThat(both).isPositive();
    }

    /** Answers to a process that was killed may arrive at the next one of the same name. */
    @Test
    void anAnswerToAnotherProcessOfTheSameNameIsIgnored() throws Exception {
        CompletableFuture<Long> first = new CompletableFuture<>();
        Peers killed = new Peers("n0", message -> first.complete(message.number("msg_id")), Duration.ofMillis(1));
        assertThatThrownBy(() -> killed.ask("lin-kv", "read", Map.of("key", "workers")))
                .hasMessage("lin-kv has not answered read in 1 ms");
        CompletableFuture<Long> second = new CompletableFuture<>();
        Peers next = new Peers("n0", message -> second.complete(message.number("msg_id")), Duration.ofMillis(1));
        assertThatThrownBy(() -> next.ask("lin-kv", "read", Map.of("key", "workers")))
                .hasMessageContaining("has not answered");

        assertThat(second.join()).isNotEqualTo(first.join());
    }
}
