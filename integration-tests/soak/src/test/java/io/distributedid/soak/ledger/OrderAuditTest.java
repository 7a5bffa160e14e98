package io.distributedid.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The judge must see each id that is planted out of order, beyond the bound and of one counter. */
class OrderAuditTest {

    private static final Duration BOUND = Duration.ofSeconds(3);

    private static final long BEGAN = -5_000_000_000L;

    private static Entry at(int beginMillis, int endMillis, long id) {
        return new Entry(BEGAN + beginMillis * 1_000_000L, BEGAN + endMillis * 1_000_000L, id, 1, 1, 1);
    }

    private static OrderAudit audit(int counters, Predicate<Entry> isExcused, Entry... entries) {
        OrderAudit audit = new OrderAudit(BEGAN, BEGAN + 60_000_000_000L, counters, BOUND, isExcused);
        List.of(entries).forEach(audit::learn);
        List.of(entries).forEach(audit::judge);
        return audit;
    }

    private static OrderAudit audit(Entry... entries) {
        return audit(1, entry -> false, entries);
    }

    @Test
    void ascendingIdsAreInOrder() {
        OrderAudit audit = audit(at(0, 1, 5), at(10_000, 10_001, 6), at(20_000, 20_001, 7));

        assertThat(audit.violations()).isZero();
        assertThat(audit.latest()).isZero();
    }

    @Test
    void anIdThatIsLateBeyondTheBoundIsSeen() {
        Entry late = at(13_002, 13_003, 99);
        OrderAudit audit = audit(at(0, 1, 5), at(9_998, 9_999, 100), late);

        assertThat(audit.violations()).isEqualTo(1);
        assertThat(audit.examples()).containsExactly(late + " is late by 3002 ms");
        assertThat(audit.latest()).isEqualTo(Duration.ofMillis(3_002));
    }

    @Test
    void anIdThatIsLateWithinTheBoundIsNone() {
        OrderAudit audit = audit(at(9_998, 9_999, 100), at(12_000, 12_001, 99));

        assertThat(audit.violations()).isZero();
        assertThat(audit.latest()).isEqualTo(Duration.ofMillis(2_000));
    }

    @Test
    void callsThatOverlapAreInAnyOrder() {
        assertThat(audit(at(0, 9_000, 100), at(8_000, 30_000, 99)).latest()).isZero();
    }

    @Test
    void theFirstIdOfABlockCountsForItAndItsLastForOthers() {
        Entry block = new Entry(BEGAN, BEGAN + 1_000_000, 50, 1, 51, 1);

        assertThat(audit(block, at(10_000, 10_001, 100)).violations()).isZero();
        assertThat(audit(block, at(10_000, 10_001, 99)).violations()).isEqualTo(1);
    }

    @Test
    void countersArePromisedNoOrderAmongEachOther() {
        Entry even = at(0, 1, 100);

        assertThat(audit(2, entry -> false, even, at(10_000, 10_001, 99)).violations())
                .isZero();
        assertThat(audit(2, entry -> false, even, at(10_000, 10_001, 98)).violations())
                .isEqualTo(1);
    }

    @Test
    void whatIsExcusedIsCountedApart() {
        OrderAudit audit = audit(1, entry -> true, at(0, 1, 100), at(10_000, 10_001, 99));

        assertThat(audit.violations()).isZero();
        assertThat(audit.excused()).isEqualTo(1);
        assertThat(audit.latestExcused()).isEqualTo(Duration.ofMillis(9_998));
        assertThat(audit.latest()).isZero();
    }
}
