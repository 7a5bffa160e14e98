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
                        "Call[begin=13, end=31, id=8, maker=B] began 1 ns after the end of Call[begin=11, end=12, id=8,"
                                + " maker=A]",
                        "Call[begin=20, end=30, id=6, maker=B] began 8 ns after the end of Call[begin=11, end=12, id=8,"
                                + " maker=A]");
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
}
