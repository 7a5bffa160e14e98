package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.PlainDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Numbers from memory: what is left of a process that was suspended, closed, or has another one beside it. */
class SuspendedSectionsTest {

    private static final String URL = "jdbc:h2:mem:suspended_sections;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100000";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("suspended_sections");
    }

    private static DistributedIds open(Object store, Object... more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "distributedid.keyed.backend", "section",
                "distributedid.keyed.section.store", store,
                "distributedid.create_tables", true,
                "distributedid.keyed.section.lease", "1s",
                "distributedid.block.timeout", "45s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i].toString(), more[i + 1]);
        }
        return DistributedIds.builder().settings(settings).asService().build();
    }

    @Test
    void aStoreThatWasSetBackDuringASuspendIsNoticed() throws SQLException {
        try (DistributedIds ids = open(URL)) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(7)).isEqualTo(1);
            DatabaseRows.execute(URL, "CREATE TABLE backup AS SELECT * FROM distributedid");
            for (int i = 0; i < 3; i++) {
                messages.next(7, 10_000);
            }
            ids.suspend();
            DatabaseRows.execute(URL, "DELETE FROM distributedid", "INSERT INTO distributedid SELECT * FROM backup");
            ids.resume();

            assertThatThrownBy(() -> messages.next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("has lost rows, or was set back, and numbers could repeat: row=@keyed");
        }
    }

    @Test
    void aStoreThatWasReplacedDuringASuspendIsNoticed() throws SQLException {
        try (DistributedIds ids = open(URL)) {
            KeyedSequence messages = ids.keyed("messages");
            assertThat(messages.next(7)).isEqualTo(1);
            ids.suspend();
            DatabaseRows.execute(URL, "DELETE FROM distributedid", "TRUNCATE TABLE keyed_sequence");
            ids.resume();

            assertThatThrownBy(() -> messages.next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("row=@keyed/messages is missing");
        }
    }

    /** Its first use by {@code slow} waits: as a thread that the system lets wait while it makes the source. */
    private static final class SlowSource extends PlainDataSource {

        final CountDownLatch entered = new CountDownLatch(1);

        final CountDownLatch go = new CountDownLatch(1);

        volatile @Nullable Thread slow;

        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(URL);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        @SuppressWarnings("ReferenceEquality")
        public int hashCode() {
            if (Thread.currentThread() == slow) {
                slow = null;
                entered.countDown();
                try {
                    assertThat(go.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return 1;
        }
    }

    private static Set<Thread> threads() {
        Set<Thread> all = new HashSet<>(Thread.getAllStackTraces().keySet());
        all.removeIf(thread -> !thread.getName().equals("distributedid-lease"));
        return all;
    }

    /** Otherwise it would keep its sections for ever. */
    @Test
    void aSourceThatIsMadeWhileTheProcessIsSuspendedLivesNoLonger() throws Exception {
        Set<Thread> before = threads();
        SlowSource store = new SlowSource();
        try (DistributedIds ids = open(store)) {
            KeyedSequence messages = ids.keyed("messages");
            FutureTask<Long> call = new FutureTask<>(() -> messages.next(7));
            Thread caller = new Thread(call);
            store.slow = caller;
            caller.start();
            assertThat(store.entered.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            ids.suspend();
            ids.resume();
            store.go.countDown();

            assertThat(call.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(messages.next(7)).isEqualTo(2);
        }
        Await.until("no thread is left", () -> before.containsAll(threads()));
    }

    /** Its sections have an owner with another address until their lease is over. */
    @Test
    void aSuspendedProcessWaitsForItsFormerLease() {
        try (DistributedIds ids = open(URL, "distributedid.keyed.section.lease", "2s")) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
            ids.suspend();
            ids.resume();
            assertThat(ids.keyed("messages").next(7)).isGreaterThan(1);
        }
    }

    @Test
    void twoInOneProcessKnowEachOtherByDefault() {
        try (DistributedIds one = open(URL, "distributedid.keyed.section.sections", 1);
                DistributedIds two = open(URL, "distributedid.keyed.section.sections", 1)) {
            assertThat(one.keyed("messages").next(7)).isEqualTo(1);
            assertThatThrownBy(() -> two.keyed("messages").next(7))
                    .isInstanceOf(IdStandbyException.class)
                    .hasMessageContaining("Another process gives the numbers of this key: seq=messages key=7");
        }
    }

    @Test
    void anAddressThatAnotherProcessHasTooIsTold() {
        String address = "distributedid.keyed.section.address";
        try (DistributedIds one = open(URL, address, "a", "distributedid.keyed.section.lease", "1m");
                DistributedIds two = open(
                        URL,
                        address,
                        "a",
                        "distributedid.keyed.section.lease",
                        "1m",
                        "distributedid.block.timeout",
                        "200ms")) {
            assertThat(one.keyed("messages").next(7)).isEqualTo(1);
            Await.until(
                    "it is told", () -> failure(two).contains(address + "=a is the address of"), () -> failure(two));
        }
    }

    private static String failure(DistributedIds ids) {
        try {
            return "number " + ids.keyed("messages").next(7);
        } catch (IdUnavailableException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
