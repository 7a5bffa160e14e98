package benchmarks.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreWritesTest {

    @Test
    void aWriteMakesRoomForFifteenSixteenthsOfAStepOfABusyKey() {
        StoreWrites.Counted counted = StoreWrites.of(1);

        assertThat(counted.raisesPer10k()).isBetween(1.06, 1.07);
        // The first one, for the claim.
        assertThat(counted.waited()).isEqualTo(1);
    }

    /** 100 s of simulated time, and a renewal after a third of 5 s, unless a raise has renewed the lease. */
    @Test
    void renewalsAreCountedApart() {
        StoreWrites.Counted counted = StoreWrites.of(1_000_000);

        assertThat(counted.raisesPer10k()).isEqualTo(0.001);
        assertThat(counted.renewals()).isBetween(55L, 60L);
    }
}
