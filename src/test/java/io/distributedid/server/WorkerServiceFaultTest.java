package io.distributedid.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.Grant;
import io.distributedid.backend.snowflake.lease.Lease;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of the store whose answer is lost, or that arrive late. */
class WorkerServiceFaultTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final WorkerRow FIRST = new WorkerRow(7, "app1", 1_000, "t1");

    private RunningServer server;

    private UnreliableProxy proxy;

    @BeforeEach
    void start() {
        server = WorkerServices.server("worker_faults");
        proxy = new UnreliableProxy(server);
    }

    @AfterEach
    void stop() throws SQLException {
        proxy.close();
        server.close();
        H2Servers.drop("worker_faults");
    }

    private WorkerStore direct() {
        return WorkerServices.store(server.server().url());
    }

    @Test
    void aChangeWhoseAnswerIsLostIsAnErrorAndIsSentToNoServerAgain() throws Exception {
        try (UnreliableProxy second = new UnreliableProxy(server);
                WorkerStore store = WorkerServices.store(proxy.url() + ", " + second.url());
                WorkerStore other = direct()) {
            store.read(7, 7);
            proxy.faultOfChanges((request, forwarded) -> UnreliableProxy.loseAnswer(forwarded));

            assertThatThrownBy(() -> store.compareAndSet(null, FIRST))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessageStartingWith(proxy.url() + " said: The request failed: ");

            assertThat(proxy.changes()).hasSize(1);
            assertThat(second.changes()).isEmpty();
            assertThat(other.read(7, 7).rows()).containsExactly(FIRST);
        }
    }

    @Test
    void aChangeThatIsLostIsAnErrorAndIsSentToNoServerAgain() throws Exception {
        try (UnreliableProxy second = new UnreliableProxy(server);
                WorkerStore store = WorkerServices.store(proxy.url() + ", " + second.url());
                WorkerStore other = direct()) {
            store.read(7, 7);
            proxy.faultOfChanges((request, forwarded) -> null);

            assertThatThrownBy(() -> store.compareAndSet(null, FIRST)).isInstanceOf(WorkerStoreException.class);

            assertThat(proxy.changes()).hasSize(1);
            assertThat(second.changes()).isEmpty();
            assertThat(other.read(7, 7).rows()).isEmpty();
        }
    }

    @Test
    void aNumberWhoseAnswerWasLostIsNotHeldAndNotGivenToAnother() {
        proxy.faultOfChanges((request, forwarded) ->
                request.contains("/rows/") ? UnreliableProxy.loseAnswer(forwarded) : forwarded.get());

        assertThatThrownBy(() -> WorkerServices.lease(WorkerServices.store(proxy.url()), MINUTE))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("No worker number can be leased: " + proxy.url() + " said: ");
        Lease other = WorkerServices.lease(direct(), MINUTE);

        assertThat(other.current().worker()).isEqualTo(1);
        assertThat(proxy.changes().stream().filter(each -> each.contains("/rows/")))
                .hasSize(1);
        other.abandon();
    }

    @Test
    void aStartWhoseAnswerWasLostFindsItsNumberInTheStore() {
        AtomicInteger lost = new AtomicInteger();
        proxy.faultOfChanges((request, forwarded) -> request.contains("/rows/0 ") && lost.getAndIncrement() == 0
                ? UnreliableProxy.loseAnswer(forwarded)
                : forwarded.get());
        try (DistributedIds node = WorkerServices.node(proxy.url());
                DistributedIds other = WorkerServices.node(server.server().url())) {
            assertThat(WorkerServices.worker(node)).isZero();
            assertThat(WorkerServices.worker(other)).isEqualTo(1);
            assertThat(proxy.changes().stream().filter(each -> each.contains("/rows/")))
                    .hasSize(1);
        }
    }

    /** The request is on its way for so long that another node takes the number. */
    @Test
    void aChangeThatArrivesLateTakesNoNumberFromAnother() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<UnreliableProxy.Answer> late = new CompletableFuture<>();
        proxy.faultOfChanges((request, forwarded) -> {
            if (request.contains("/rows/0 ")) {
                arrived.countDown();
                release.await();
                late.complete(forwarded.get());
            }
            return forwarded.get();
        });
        WorkerStore slow = WorkerServices.store(proxy.url());
        CompletableFuture<Lease> first = CompletableFuture.supplyAsync(() -> WorkerServices.lease(slow, MINUTE));
        Await.until("a change is on its way", () -> arrived.getCount() == 0);

        Lease second = WorkerServices.lease(direct(), MINUTE);
        slow.cut();
        Await.until("the first gives up", first::isDone);
        release.countDown();

        assertThat(late.join().body()).isEqualTo("{\"done\":false}");
        assertThatThrownBy(first::join).hasCauseInstanceOf(IdUnavailableException.class);
        assertThat(second.current().worker()).isZero();
        try (WorkerStore store = direct()) {
            assertThat(store.read(0, 9).rows()).containsExactly(second.current().row());
        }
        second.abandon();
    }

    /** Each request for a window has its own token, so none was sent twice. */
    @Test
    void aLeaseGoesOnWhileAnswersToItsRenewalsAreLost() {
        proxy.faultOfChanges((request, forwarded) ->
                request.contains("/renew") ? UnreliableProxy.loseAnswer(forwarded) : forwarded.get());
        Lease lease = WorkerServices.lease(WorkerServices.store(proxy.url()), Duration.ofSeconds(2));
        Grant begin = lease.current();

        Await.until("it has four more windows", () -> lease.current().until() > begin.until() + 8_000);

        assertThat(lease.current().worker()).isZero();
        assertThat(lease.current().from()).as("never interrupted").isEqualTo(begin.from());
        List<String> renewals =
                proxy.changes().stream().filter(each -> each.contains("/renew")).toList();
        assertThat(renewals).hasSizeGreaterThan(3).doesNotHaveDuplicates();
        lease.release(lease.current().until());
    }

    @Test
    void aServerThatDoesNotAnswerIsWaitedForNoLongerThanTheTimeout() throws Exception {
        try (WorkerStore store = WorkerServices.store(proxy.url(), "timeout", "500ms")) {
            proxy.fault((request, forwarded) -> proxy.hang());

            assertThatThrownBy(() -> store.read(0, 9))
                    .isInstanceOf(WorkerStoreException.class)
                    .hasMessageMatching(".* said: No answer within \\d+ ms");
        }
    }

    @Test
    void aCallUnderWayIsCut() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (WorkerStore store = WorkerServices.store(proxy.url())) {
            proxy.fault((request, forwarded) -> {
                arrived.countDown();
                return proxy.hang();
            });
            CompletableFuture<Object> reading = CompletableFuture.supplyAsync(() -> {
                try {
                    return store.read(0, 9);
                } catch (WorkerStoreException | InterruptedException e) {
                    return e.getMessage();
                }
            });
            Await.until("a call is under way", () -> arrived.getCount() == 0);
            store.cut();

            assertThat(reading.join()).isEqualTo(proxy.url() + " said: The source of ids is closed");
        }
    }
}
