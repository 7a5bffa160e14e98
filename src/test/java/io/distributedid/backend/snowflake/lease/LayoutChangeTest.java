package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to a store while the layout of a sequence is being changed. */
class LayoutChangeTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 60_000;

    private static final Duration SKEW = Duration.ofSeconds(15);

    private static final String OLD = "time(ms):41, worker:10, sequence:12 from 2024-01-01T00:00:00Z";

    private static final String NEW = "time(ms):41, worker:12, sequence:10 from 2024-01-01T00:00:00Z";

    private long now = START;

    /** Happens in the second reading of the store, in which the change is announced. */
    private Runnable meanwhile = () -> {};

    private final MemoryStore store = new MemoryStore(() -> {
        if (this.store().reads() == 2) {
            meanwhile.run();
        }
        return Instant.ofEpochMilli(now);
    });

    /** Happens while the change waits. */
    private Runnable delayed = () -> {};

    private boolean allStopped;

    private MemoryStore store() {
        return store;
    }

    @BeforeEach
    void record() throws Exception {
        replace("photos", null, OLD);
        replace(WorkerStore.STORE_RECORD, null, StoreRecord.first("t", WINDOW).text());
    }

    private void replace(String name, String before, String after) throws Exception {
        assertThat(store.compareAndSetRecord(name, before, after)).isTrue();
    }

    @Test
    void theNewLayoutIsRecordedAfterAllWindowsAreOver() throws Exception {
        assertThat(change(NEW)).isEqualTo(OLD);

        assertThat(store.record("photos")).contains(NEW);
        assertThat(now - START).isEqualTo(WINDOW + 2 * SKEW.toMillis() + 1_001);
    }

    @Test
    void aChangeIsTakenBackIfTheNumbersMoveMeanwhile() throws Exception {
        meanwhile = this::moveNumbers;

        assertTakenBackAfterAMove();
    }

    @Test
    void aChangeIsTakenBackIfTheNumbersMoveWhileItWaits() throws Exception {
        delayed = this::moveNumbers;

        assertTakenBackAfterAMove();
    }

    private void moveNumbers() {
        try {
            StoreRecord found = StoreRecord.of(store).orElseThrow();
            replace(WorkerStore.STORE_RECORD, found.text(), found.moved("m").text());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertTakenBackAfterAMove() throws Exception {
        assertThatThrownBy(() -> change(NEW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("No layout can be changed while worker numbers move: memory state=MOVED.");
        assertThat(store.record("photos")).contains(OLD);
    }

    /** A process chose its window before the change, and sends its request during the wait. */
    @Test
    void aWindowThatIsGrantedDuringTheWaitCounts() throws Exception {
        delayed = () -> store.put(new WorkerRow(0, "app1", START + WINDOW, "late"));

        assertThatThrownBy(() -> change(from("2024-01-01T00:00:59.999Z")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("All ids of the new layout must be larger than those of the old one: seq=photos"
                        + " old=" + OLD + " new=" + from("2024-01-01T00:00:59.999Z"))
                .hasMessageEndingWith(" Set distributedid.snowflake.epoch=2023-12-31T23:59:59.998Z or earlier");
        assertThat(store.record("photos")).contains(OLD);
    }

    @Test
    void anEpochThatTheErrorNamesLeavesRoomForTheLongestWindowThatCanBeGrantedDuringTheWait() throws Exception {
        assertThatThrownBy(() -> change(from("2024-01-02T00:00:00Z")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageEndingWith(" Set distributedid.snowflake.epoch=2023-12-31T23:59:59.998Z or earlier");
        long longest = START + SKEW.toMillis() + LeaseProtocol.HANDBACK_WAIT_MILLIS + WINDOW;
        delayed = () -> store.put(new WorkerRow(0, "app1", longest, "late"));

        assertThat(change(from("2023-12-31T23:59:59.998Z"))).isEqualTo(OLD);
        assertThat(store.record("photos")).contains(from("2023-12-31T23:59:59.998Z"));
    }

    @Test
    void anEpochThatIsLaterByAWindowIsAllowedIfNoneWasGrantedMeanwhile() throws Exception {
        assertThat(change(from("2024-01-01T00:00:59.999Z"))).isEqualTo(OLD);
    }

    /** Before they stopped, processes gave ids ahead of their clocks, which may be ahead of the store's. */
    @Test
    void idsOfSingleUseNumbersMayLieAheadOfTheStoresClock() throws Exception {
        store.put(new WorkerRow(0, "app1", Long.MAX_VALUE, "single"));
        allStopped = true;

        assertThatThrownBy(() -> change(from("2024-01-01T00:01:02Z")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "All ids of the new layout must be larger than those of the old one: seq=photos");
        assertThat(change(from("2024-01-01T00:00:59.999Z"))).isEqualTo(OLD);
        assertThat(now - START).isEqualTo(WINDOW + 2 * SKEW.toMillis() + 1_001 + 10_001);
    }

    /** Their owners may run although the rows are lost. */
    @Test
    void burntNumbersWithoutARowCount() throws Exception {
        StoreRecord found = StoreRecord.of(store).orElseThrow();
        replace(
                WorkerStore.STORE_RECORD,
                found.text(),
                found.burning(new BurntNumbers(0, 1)).text());

        assertThatThrownBy(() -> change(NEW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageEndingWith(
                        "Single-use numbers have no end: once all their owners are stopped, add --all-stopped");
        allStopped = true;
        assertThat(change(NEW)).isEqualTo(OLD);
    }

    private static String from(String epoch) {
        return OLD.replace("2024-01-01T00:00:00Z", epoch);
    }

    private void pass(long millis) {
        now += millis;
        delayed.run();
    }

    private String change(String layout) {
        IdLayout next = LayoutParser.parse(layout);
        LeaseTerms terms = new LeaseTerms(new LeaseProtocol(WINDOW, 0, 3, false), SKEW, Duration.ZERO, Duration.ZERO);
        return new LayoutChange(store, terms, "photos", allStopped, this::pass).run(next);
    }
}
