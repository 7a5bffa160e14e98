package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.CallLedger.Call;
import org.junit.jupiter.api.Test;

class CallLedgerTest {

    private final CallLedger ledger = new CallLedger();

    @Test
    void callsThatOverlapMayHaveAnyOrder() {
        ledger.add(new Call(0, 10, 7, "A"));
        ledger.add(new Call(5, 6, 3, "B"));
        ledger.add(new Call(10, 12, 4, "B"));

        assertThat(ledger.disorder()).isEmpty();
    }

    @Test
    void aCallThatBeganAfterTheEndOfAnotherMustHaveTheGreaterId() {
        ledger.add(new Call(20, 30, 6, "B"));
        ledger.add(new Call(0, 10, 7, "A"));
        ledger.add(new Call(11, 12, 8, "A"));
        ledger.add(new Call(13, 31, 8, "B"));

        assertThat(ledger.disorder())
                .containsExactly(
                        "Call[begin=13, end=31, first=8, id=8, maker=B] began 1 ns after the end of"
                                + " Call[begin=11, end=12, first=8, id=8, maker=A]",
                        "Call[begin=20, end=30, first=6, id=6, maker=B] began 8 ns after the end of"
                                + " Call[begin=11, end=12, first=8, id=8, maker=A]");
        assertThat(ledger.distinct()).isEqualTo(3);
    }

    @Test
    void takeoversAreCountedInOrderOfIds() {
        ledger.add(new Call(0, 10, 1, "A"));
        ledger.add(new Call(20, 40, 3, "B"));
        ledger.add(new Call(11, 12, 2, "A"));
        ledger.add(new Call(50, 55, 4, "A"));

        assertThat(ledger.takeovers()).isEqualTo(2);
        assertThat(ledger.longestTakeover()).isEqualTo(28);
    }

    @Test
    void idsThatTwoCallsGotAreFoundThoughTheCallsOverlapInTime() {
        ledger.add(new Call(0, 10, 5, 9, "A"));
        ledger.add(new Call(1, 9, 1, 4, "B"));
        assertThat(ledger.twice()).isEmpty();

        ledger.add(new Call(2, 9, 7, "B"));
        ledger.add(new Call(3, 8, 9, 12, "C"));
        assertThat(ledger.disorder()).isEmpty();
        assertThat(ledger.twice())
                .containsExactly(
                        "Call[begin=2, end=9, first=7, id=7, maker=B] after Call[begin=0, end=10, first=5, id=9, maker=A]",
                        "Call[begin=3, end=8, first=9, id=12, maker=C] after Call[begin=0, end=10, first=5, id=9, maker=A]");
    }

    @Test
    void theFirstOfConsecutiveIdsMustBeGreaterThanTheLastOfACallBefore() {
        ledger.add(new Call(0, 10, 1, 5, "A"));
        ledger.add(new Call(11, 12, 5, 6, "A"));

        assertThat(ledger.disorder()).hasSize(1);
    }

    @Test
    void theLongestGapCountsFromAndToTheGivenMoments() {
        ledger.add(new Call(0, 10, 1, "A"));
        ledger.add(new Call(0, 40, 2, "A"));
        ledger.add(new Call(0, 45, 3, "A"));

        assertThat(ledger.longestGap(0, 50)).isEqualTo(30);
        assertThat(ledger.longestGap(20, 50)).isEqualTo(20);
        assertThat(ledger.longestGap(20, 90)).isEqualTo(45);
        assertThat(ledger.longestGap(46, 50)).isEqualTo(4);
    }
}
