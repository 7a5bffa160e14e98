package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.backend.snowflake.lease.StoreCondition;
import io.distributedid.backend.snowflake.lease.StoreSnapshot;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What leases need of every store of worker numbers. */
public abstract class WorkerStoreContract {

    private static final int RIVALS = 8;

    /** So that one server serves all tests, each with rows of its own. */
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final int test = TESTS.incrementAndGet();

    private WorkerStore store;

    /**
     * The settings of a store without rows.
     *
     * @param test different for each
     */
    protected abstract Map<String, ?> settings(int test);

    /** Another one with the same rows. */
    protected WorkerStore another(int test) {
        return LeaseSettings.store(Settings.of(PatientSettings.of(settings(test))), Optional.empty());
    }

    /** Whether it has rows of several numbers, and not of one alone. */
    protected boolean hasManyNumbers() {
        return true;
    }

    /** Whether it renews a window in one step. A store that does not refuses every such call. */
    protected boolean renewsInOneStep() {
        return true;
    }

    @BeforeEach
    void open() {
        store = another();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void anEmptyStoreHasNoRows() throws Exception {
        assertThat(store.read(0, 1023).rows()).isEmpty();
        assertThat(store.read(7, 7).rows()).isEmpty();
        assertThat(store.highest()).isEqualTo(-1);
    }

    @Test
    void aRowIsCreatedOnlyWhereThereIsNone() throws Exception {
        WorkerRow row = row(7, 1_000);

        assertThat(store.compareAndSet(null, row)).isTrue();
        assertThat(store.compareAndSet(null, row(7, 2_000))).isFalse();
        assertThat(store.read(7, 7).rows()).containsExactly(row);
    }

    @Test
    void aRowIsReplacedOnlyIfItIsAsExpected() throws Exception {
        WorkerRow first = row(7, 1_000);
        WorkerRow second = row(7, 2_000);
        store.compareAndSet(null, first);

        assertThat(store.compareAndSet(first, second)).isTrue();
        assertThat(store.compareAndSet(first, row(7, 3_000))).isFalse();
        assertThat(store.compareAndSet(new WorkerRow(7, second.owner(), 2_001, second.token()), row(7, 3_000)))
                .isFalse();
        assertThat(store.compareAndSet(new WorkerRow(7, second.owner(), 2_000, first.token()), row(7, 3_000)))
                .isFalse();
        assertThat(store.read(7, 7).rows()).containsExactly(second);
        assertThat(store.compareAndSet(second, first)).as("backwards").isTrue();
    }

    @Test
    void whatIsNotThereIsNotReplaced() throws Exception {
        assertThat(store.compareAndSet(row(7, 1_000), row(7, 2_000))).isFalse();
        assertThat(store.read(0, 1023).rows()).isEmpty();
    }

    @Test
    void rowsAreReadInOrderAndWithinTheirRange() throws Exception {
        List<Long> numbers = hasManyNumbers() ? List.of(10L, 9L, 100L, 0L, 4_194_303L) : List.of(9L);
        for (long worker : numbers) {
            store.compareAndSet(null, row(worker, worker));
        }

        assertThat(store.read(0, 4_194_303).rows())
                .extracting(WorkerRow::worker)
                .containsExactlyElementsOf(numbers.stream().sorted().toList());
        assertThat(store.read(9, 99).rows())
                .extracting(WorkerRow::worker)
                .containsExactlyElementsOf(hasManyNumbers() ? List.of(9L, 10L) : numbers);
        assertThat(store.read(10_000, 20_000).rows()).isEmpty();
        assertThat(store.highest()).isEqualTo(Collections.max(numbers));
    }

    @Test
    void everyValueIsKept() throws Exception {
        WorkerRow before = null;
        for (WorkerRow row : List.of(
                new WorkerRow(0, "app-1.example.org pid 17 since 2026-11-21T08:00:00Z", Long.MAX_VALUE, token()),
                new WorkerRow(0, "", 0, token()),
                new WorkerRow(0, "o".repeat(200), 1_763_733_600_123L, token()))) {
            assertThat(store.compareAndSet(before, row)).isTrue();
            assertThat(store.read(0, 0).rows()).containsExactly(row);
            before = row;
        }
    }

    @Test
    void whatOneWritesAnotherReadsAtOnce() throws Exception {
        WorkerRow row = row(7, 1_000);
        try (WorkerStore other = another()) {
            other.read(0, 9);
            store.compareAndSet(null, row);
            assertThat(other.read(0, 9).rows()).containsExactly(row);
            assertThat(other.compareAndSet(row, row(7, 2_000))).isTrue();
            assertThat(store.compareAndSet(row, row(7, 3_000))).isFalse();
        }
    }

    @Test
    void aRecordIsReplacedOnlyIfItIsAsExpected() throws Exception {
        assertThat(store.record("photos")).isEmpty();
        assertThat(store.compareAndSetRecord("photos", "old", "new")).isFalse();
        assertThat(store.compareAndSetRecord("photos", null, "Old")).isTrue();
        assertThat(store.compareAndSetRecord("photos", null, "new")).isFalse();
        assertThat(store.compareAndSetRecord("photos", "old", "new")).isFalse();
        assertThat(store.compareAndSetRecord("Photos", null, "another")).isTrue();
        try (WorkerStore other = another()) {
            assertThat(other.record("photos")).contains("Old");
            assertThat(other.compareAndSetRecord("photos", "Old", "n".repeat(WorkerStore.RECORD_LENGTH)))
                    .isTrue();
        }
        assertThat(store.record("photos")).contains("n".repeat(WorkerStore.RECORD_LENGTH));
        assertThat(store.record("Photos")).contains("another");
        assertThat(store.read(0, 1023).rows()).isEmpty();
        assertThat(store.highest()).isEqualTo(-1);
    }

    @Test
    void allRecordsAreReadForAMove() throws Exception {
        assertThat(store.records()).isEmpty();

        store.compareAndSetRecord("photos", null, "one");
        store.compareAndSetRecord(WorkerStore.STORE_RECORD, null, "something");

        assertThat(store.records()).isEqualTo(Map.of("photos", "one", WorkerStore.STORE_RECORD, "something"));
    }

    @Test
    void everyReadingHoldsWhatTheStoreSaysOfItself() throws Exception {
        assertThat(store.read(7, 7).record()).isNull();

        store.compareAndSetRecord(WorkerStore.STORE_RECORD, null, "something");

        assertThat(store.read(7, 7).record()).isEqualTo("something");
        store.compareAndSet(null, row(7, 1_000));
        assertThat(store.read(0, 1023).record()).isEqualTo("something");
    }

    @Test
    void theTimeIsThatOfTheServer() throws Exception {
        Duration near = Duration.ofSeconds(10);
        for (StoreSnapshot reading : List.of(store.read(0, 9), store.read(0, 0))) {
            assertThat(Duration.ofMillis(reading.storeTime() - System.currentTimeMillis())
                            .abs())
                    .isLessThan(near);
        }
        long before = store.read(0, 9).storeTime();
        assertThat(store.read(0, 9).storeTime()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void ofManyWhoCreateARowOneDoes() throws Exception {
        for (int round = 0; round < (hasManyNumbers() ? 10 : 1); round++) {
            assertThat(together(null, round)).isEqualTo(1);
        }
    }

    @Test
    void ofManyWhoReplaceARowOneDoes() throws Exception {
        for (int round = 0; round < (hasManyNumbers() ? 10 : 1); round++) {
            WorkerRow row = row(round, 1_000);
            store.compareAndSet(null, row);

            assertThat(together(row, round)).isEqualTo(1);
        }
    }

    @Test
    void aRowIsRenewedInOneStepIfTheStoreIsAsItsOwnerKnowsIt() throws Exception {
        WorkerRow first = row(7, 1_000);
        WorkerRow second = row(7, 2_000);
        StoreCondition now = described(first);
        OptionalLong time = store.renew(first, second, now);

        assertThat(time.isPresent()).isEqualTo(renewsInOneStep());
        try (WorkerStore other = another()) {
            assertThat(other.read(7, 7).rows()).containsExactly(renewsInOneStep() ? second : first);
        }
        if (renewsInOneStep()) {
            assertThat(time.getAsLong()).isBetween(now.earliest(), now.latest());
            assertThat(store.renew(second, row(7, 1_500), now)).as("once more").isPresent();
        }
    }

    @Test
    void whatAnotherHasChangedIsNotRenewed() throws Exception {
        WorkerRow row = row(7, 1_000);
        StoreCondition now = described(row);
        WorkerRow next = row(7, 2_000);

        assertThat(store.renew(row(7, 1_000), next, now)).as("the token").isEmpty();
        assertThat(store.renew(new WorkerRow(7, row.owner(), 1_001, row.token()), next, now))
                .as("the end")
                .isEmpty();
        assertThat(store.renew(row(8, 1_000), row(8, 2_000), now)).as("no row").isEmpty();
        assertThat(store.renew(row, next, new StoreCondition("Something", now.earliest(), now.latest())))
                .as("the record")
                .isEmpty();
        try (WorkerStore other = another()) {
            other.compareAndSetRecord(WorkerStore.STORE_RECORD, "something", "else");
            assertThat(store.renew(row, next, now)).as("the record by another").isEmpty();
            other.compareAndSetRecord(WorkerStore.STORE_RECORD, "else", "something");
            WorkerRow rival = row(7, 1_000);
            other.compareAndSet(row, rival);
            assertThat(store.renew(row, next, now)).as("the row by another").isEmpty();
            assertThat(store.read(0, 1023).rows()).containsExactly(rival);
        }
    }

    @Test
    void withoutARecordNothingIsRenewed() throws Exception {
        WorkerRow row = row(7, 1_000);
        store.compareAndSet(null, row);
        long time = store.read(7, 7).storeTime();

        assertThat(store.renew(row, row(7, 2_000), new StoreCondition("something", time - 60_000, time + 60_000)))
                .isEmpty();
        assertThat(store.read(7, 7).rows()).containsExactly(row);
    }

    @Test
    void nothingIsRenewedWhileTheServersTimeIsOutOfRange() throws Exception {
        WorkerRow row = row(7, 1_000);
        StoreCondition now = described(row);
        long time = (now.earliest() + now.latest()) / 2;

        for (StoreCondition wrong : List.of(
                new StoreCondition("something", time + 60_000, time + 120_000),
                new StoreCondition("something", time - 120_000, time - 60_000))) {
            assertThat(store.renew(row, row(7, 2_000), wrong)).isEmpty();
        }
        assertThat(store.read(7, 7).rows()).containsExactly(row);
    }

    @Test
    void ofManyWhoRenewARowOneDoes() throws Exception {
        WorkerRow row = row(7, 1_000);
        StoreCondition now = described(row);
        List<Boolean> done = Together.runPrepared(RIVALS, (rival, start) -> {
            try (WorkerStore own = another()) {
                own.read(0, 0);
                start.await();
                return own.renew(row, row(7, 2_000 + rival), now).isPresent();
            }
        });

        assertThat(done.stream().filter(Boolean::booleanValue).count()).isEqualTo(renewsInOneStep() ? 1 : 0);
    }

    /** Writes a row and the store's record. Returns the condition that both are met, for a minute. */
    private StoreCondition described(WorkerRow row) throws Exception {
        store.compareAndSet(null, row);
        store.compareAndSetRecord(WorkerStore.STORE_RECORD, null, "something");
        long time = store.read(7, 7).storeTime();
        return new StoreCondition("something", time - 60_000, time + 60_000);
    }

    private long together(WorkerRow expected, long worker) throws Exception {
        List<Boolean> done = Together.runPrepared(RIVALS, (rival, start) -> {
            WorkerRow next = row(worker, 2_000 + rival);
            try (WorkerStore own = another()) {
                own.read(0, 0);
                start.await();
                return own.compareAndSet(expected, next);
            }
        });
        return done.stream().filter(Boolean::booleanValue).count();
    }

    private WorkerStore another() {
        return another(test);
    }

    private static WorkerRow row(long worker, long until) {
        return new WorkerRow(worker, "app1 pid 17", until, token());
    }

    private static String token() {
        return UUID.randomUUID().toString();
    }
}
