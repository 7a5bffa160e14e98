package io.distributedid.hibernate.internal.generate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which flush is the outer one. */
class FlushNumbersTest {

    private final Object outer = new Object();

    private final Object inner = new Object();

    private final FlushNumbers numbers = new FlushNumbers(null, null);

    @Test
    void onlyTheOuterFlushIsTheLast() {
        numbers.begin(outer);
        for (int i = 0; i < 2; i++) {
            numbers.begin(inner);
            assertThat(numbers.end(inner)).isFalse();
        }
        assertThat(numbers.end(outer)).isTrue();
    }

    @Test
    void anInnerFlushThatFailedIsOverWithTheOuterOne() {
        numbers.begin(outer);
        numbers.begin(inner);
        numbers.begin(new Object());

        assertThat(numbers.end(outer)).isTrue();
    }
}
