package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lock of the hardened form lasts for one call, whatever becomes of call, transaction and session. */
class NextIdLockTest {

    private static final String LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
            + " (SELECT oid FROM pg_database WHERE datname = current_database())";

    private static final String CANCELED = "57014";

    private Connection connection;

    private Connection other;

    @BeforeEach
    void create() throws SQLException {
        connection = Shards.connect();
        other = Shards.connect();
        Shards.execute(other, "SET statement_timeout = '30s'");
        Shards.create(connection, "locks", NextIdForm.HARDENED);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        other.close();
    }

    @Test
    void anOpenTransactionKeepsNobodyWaiting() throws SQLException {
        connection.setAutoCommit(false);
        long first = Shards.id(connection, "locks");

        assertThat(Shards.number(connection, LOCKS)).isZero();
        assertThat(Shards.id(other, "locks")).isGreaterThan(first);
    }

    @Test
    void aRollbackGivesNoIdBack() throws SQLException {
        connection.setAutoCommit(false);
        long first = Shards.id(connection, "locks");
        connection.rollback();
        long second = Shards.id(connection, "locks");
        connection.setSavepoint();
        long third = Shards.id(connection, "locks");
        connection.rollback();

        assertThat(List.of(first, second, third, Shards.id(other, "locks")))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void anErrorInTheFunctionLeavesNoLock() throws SQLException {
        Shards.createWithClock(connection, "locks", NextIdForm.HARDENED, Shards.LAYOUT);
        Shards.setClock(connection, "locks", Shards.EPOCH.minusSeconds(1));
        connection.setAutoCommit(false);
        connection.setSavepoint();

        assertThatThrownBy(() -> Shards.id(connection, "locks")).isInstanceOf(SQLException.class);

        assertThat(Shards.number(other, LOCKS)).isZero();
        connection.rollback();
    }

    @Test
    void aReadOnlyTransactionGetsNone() throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);

        assertThatThrownBy(() -> Shards.id(connection, "locks"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("in a read-only transaction");
        assertThat(Shards.number(other, LOCKS)).isZero();
    }

    @Test
    void aStatementThatIsCancelledLeavesNoLock() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        long victim = Shards.number(connection, "SELECT pg_backend_pid()");
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<Integer> cancelled = threads.submit(() -> callUntil(ended));
            Future<List<Long>> insertions = threads.submit(() -> insertUntil(ended));
            Future<?> limited = threads.submit(() -> timeOutUntil(ended));
            try (Connection canceller = Shards.connect()) {
                for (int i = 0; i < 1_000; i++) {
                    Shards.execute(canceller, "SELECT pg_cancel_backend(" + victim + ")");
                }
            } finally {
                ended.set(true);
            }

            assertThat(cancelled.get()).isPositive();
            assertThat(insertions.get()).isSorted().doesNotHaveDuplicates();
            limited.get();
            assertThat(Shards.number(other, LOCKS)).isZero();
            assertThat(Shards.id(other, "locks")).isPositive();
        } finally {
            threads.shutdownNow();
        }
    }

    private int callUntil(AtomicBoolean ended) throws SQLException {
        int cancelled = 0;
        while (!ended.get()) {
            try {
                Shards.ids(connection, "locks", 100_000);
                Shards.numbers(connection, "SELECT locks.next_id(3)");
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isEqualTo(CANCELED);
                cancelled++;
            }
        }
        return cancelled;
    }

    private static Void timeOutUntil(AtomicBoolean ended) throws SQLException {
        try (Connection limited = Shards.connect()) {
            Shards.execute(limited, "SET statement_timeout = '3ms'");
            while (!ended.get()) {
                assertThatThrownBy(() -> Shards.ids(limited, "locks", 100_000))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo(CANCELED));
            }
        }
        return null;
    }

    private List<Long> insertUntil(AtomicBoolean ended) throws SQLException {
        List<Long> ids = new ArrayList<>();
        while (!ended.get()) {
            ids.add(Shards.id(other, "locks"));
        }
        return ids;
    }
}
