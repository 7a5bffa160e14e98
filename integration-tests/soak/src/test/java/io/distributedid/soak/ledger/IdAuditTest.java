package io.distributedid.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/** The judge must see each duplicate that is planted. */
class IdAuditTest {

    private static Entry ids(long first, int step, int count, int process) {
        return new Entry(0, 1, first, step, count, process);
    }

    private static IdAudit audit(int counters, Entry... entries) {
        return IdAudit.of(
                Arrays.stream(entries)
                        .sorted(Comparator.comparingLong(Entry::first))
                        .iterator(),
                counters);
    }

    @Test
    void distinctIdsAreNoDuplicates() {
        IdAudit audit = audit(2, ids(1, 2, 50, 1), ids(2, 2, 50, 2), ids(101, 2, 1, 1), ids(102, 2, 1, 2));

        assertThat(audit.ids()).isEqualTo(102);
        assertThat(audit.duplicates()).isZero();
        assertThat(audit.missing()).isZero();
    }

    @Test
    void aSingleIdThatIsGivenTwiceIsSeen() {
        IdAudit audit = audit(1, ids(7, 1, 1, 1), ids(8, 1, 1, 1), ids(7, 1, 1, 2));

        assertThat(audit.ids()).isEqualTo(2);
        assertThat(audit.duplicates()).isEqualTo(1);
        assertThat(audit.examples()).containsExactly("id=7 " + ids(7, 1, 1, 1) + " and " + ids(7, 1, 1, 2));
    }

    @Test
    void oneIdInTheMiddleOfABlockIsSeen() {
        assertThat(audit(1, ids(1, 1, 1_000, 1), ids(500, 1, 1, 2)).duplicates())
                .isEqualTo(1);
    }

    @Test
    void blocksThatOverlapAreSeenIdByIdWhateverTheirSteps() {
        // 1, 3, ..., 99 and 1, 11, ..., 91 and 2, 5, ..., 98: the last one shares each odd one of its ids.
        IdAudit audit = audit(1, ids(1, 2, 50, 1), ids(1, 10, 10, 2), ids(2, 3, 33, 3));

        assertThat(audit.duplicates()).isEqualTo(10 + 16);
        assertThat(audit.ids()).isEqualTo(50 + 17);
    }

    @Test
    void anIdThatIsGivenThreeTimesIsSeenTwice() {
        assertThat(audit(1, ids(7, 1, 1, 1), ids(7, 1, 1, 2), ids(7, 1, 1, 3)).duplicates())
                .isEqualTo(2);
    }

    @Test
    void gapsAreCountedForEachCounterAndRaisesApart() {
        IdAudit audit = audit(2, ids(1, 2, 1, 1), ids(9, 2, 1, 1), ids(20_000_009, 2, 1, 1), ids(4, 2, 2, 2));

        assertThat(audit.missing()).isEqualTo(3);
        assertThat(audit.raises()).isEqualTo(1);
        assertThat(audit.raisedBy()).isEqualTo(9_999_999);
    }
}
