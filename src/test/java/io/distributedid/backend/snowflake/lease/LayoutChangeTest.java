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
        meanwhile = () -> {
            try {
                StoreRecord found = StoreRecord.of(store).orElseThrow();
                replace(WorkerStore.STORE_RECORD, found.text(), found.moved("m").text());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };

        assertThatThrownBy(() -> change(NEW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("No layout can be changed while worker numbers move: memory state=MOVED.");
        assertThat(store.record("photos")).contains(OLD);
    }

    private String change(String layout) {
        IdLayout next = LayoutParser.parse(layout);
        LeaseTerms terms = new LeaseTerms(new LeaseProtocol(WINDOW, 0, 3, false), SKEW, Duration.ZERO, Duration.ZERO);
        return new LayoutChange(store, terms, "photos", false, millis -> now += millis).run(next);
    }
}
