package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumberingTest {

    private final Numbering even = new Numbering(2, 2);

    @Test
    void theNextNumberLiesAboveTheLastOne() {
        assertThat(even.after(0)).isEqualTo(2);
        assertThat(even.after(-1)).as("none yet").isEqualTo(2);
        assertThat(even.after(6)).isEqualTo(8);
    }

    @Test
    void afterTheLastNumberOfAServerComesNoLowerOne() {
        long lastEven = Long.MAX_VALUE - 1;

        assertThat(even.after(lastEven - 2)).isEqualTo(lastEven);
        assertThat(even.after(lastEven)).isEqualTo(Long.MAX_VALUE);
        assertThat(even.after(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(new Numbering(1, 1).after(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }
}
