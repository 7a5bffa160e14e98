package io.distributedid.internal.keyed.served;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyMemoryTest {

    private final KeyMemory memory = new KeyMemory(800);

    @Test
    void itHasWhatIsNotTaken() {
        assertThat(memory.has(800)).isTrue();
        assertThat(memory.has(801)).isFalse();
        memory.take(799);
        assertThat(memory.has(1)).isTrue();
        assertThat(memory.has(2)).isFalse();
        assertThat(memory.used()).isEqualTo(799);
        memory.take(-300);
        assertThat(memory.used()).isEqualTo(499);
        assertThat(memory.has(301)).isTrue();
    }

    @Test
    void itIsScarceWhenLessThanAnEighthIsLeft() {
        memory.take(700);
        assertThat(memory.isScarce()).isFalse();
        memory.take(1);
        assertThat(memory.isScarce()).isTrue();
    }
}
