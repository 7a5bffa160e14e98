package io.distributedid.internal.keyed.section;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyMemoryTest {

    private final KeyMemory memory = new KeyMemory(800);

    @Test
    void allOfItCanBeTakenAndNoMore() {
        assertThat(memory.take(799)).isTrue();
        assertThat(memory.take(2)).isFalse();
        assertThat(memory.used()).isEqualTo(799);
        assertThat(memory.take(1)).isTrue();
        assertThat(memory.take(1)).isFalse();
        assertThat(memory.used()).isEqualTo(800);
    }

    @Test
    void oneByteIsEnoughForALimit() {
        assertThat(new KeyMemory(1).take(1)).isTrue();
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        assertThat(memory.take(800)).isTrue();
        memory.give(300);
        assertThat(memory.used()).isEqualTo(500);
        assertThat(memory.take(-100)).as("a smaller table").isTrue();
        assertThat(memory.used()).isEqualTo(400);
        assertThat(memory.take(401)).isFalse();
        assertThat(memory.take(400)).isTrue();
    }

    @Test
    void itIsScarceWhenLessThanAnEighthIsLeft() {
        assertThat(memory.take(700)).isTrue();
        assertThat(memory.isScarce()).isFalse();
        assertThat(memory.take(1)).isTrue();
        assertThat(memory.isScarce()).isTrue();
    }
}
