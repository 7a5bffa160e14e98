package io.distributedid.internal.keyed.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes of different releases must agree, so the values of today are those of ever. */
class KeyHashTest {

    @Test
    void theNumberOfATextNeverChanges() {
        assertThat(KeyHash.text("")).isEqualTo(-6567225182768875266L);
        assertThat(KeyHash.text("a")).isEqualTo(-7916821936924035019L);
        assertThat(KeyHash.text("conversation-4711")).isEqualTo(-8626597007047885442L);
        assertThat(KeyHash.text("M\u00fcnchen \ud83d\ude00")).isEqualTo(-8654137313344255226L);
    }

    @Test
    void theSectionOfAKeyNeverChanges() {
        assertThat(new int[] {
                    KeyHash.section(0, 1_000),
                    KeyHash.section(1 << 20, 1_000),
                    KeyHash.section(Long.MAX_VALUE, 1_000),
                    KeyHash.section(KeyHash.text("a"), 1_000),
                    KeyHash.section(4711, 1)
                })
                .containsExactly(575, 650, 379, 225, 0);
    }

    /** A key is the same whether it is sent as a number or as a text. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "9, 9",
        "10, 10",
        "4711, 4711",
        "1000000000000000000, 1000000000000000000",
        "9223372036854775807, 9223372036854775807"
    })
    void aWholeNumberIsItsOwnNumber(String key, long number) {
        assertThat(KeyHash.number(key)).isEqualTo(number);
    }

    /** Others would be one key with a whole number, or with each other. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "01",
                "-1",
                "+1",
                "1a",
                "1/",
                "1:",
                "a",
                "9223372036854775808",
                "9999999999999999999",
                "10000000000000000000",
                "18446744073709551617",
                "\u0663"
            })
    void anythingElseIsAText(String key) {
        assertThat(KeyHash.number(key)).isEqualTo(KeyHash.text(key)).isNegative();
    }

    @Test
    void textsHaveNumbersOfTheirOwnThatAreNegative() {
        Set<Long> numbers = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            long number = KeyHash.text("user-" + i);
            assertThat(number).isBetween(Long.MIN_VALUE, (-1L << 62) - 1);
            numbers.add(number);
        }
        assertThat(numbers).hasSize(100_000);
    }

    @Test
    void keysThatFollowEachOtherAreInOneSectionAndBlocksOfThemInAll() {
        int[] sizes = new int[64];
        for (int block = 0; block < 64_000; block++) {
            int section = KeyHash.section(1_024L * block, 64);
            assertThat(KeyHash.section(1_024L * block + 1_023, 64)).isEqualTo(section);
            sizes[section]++;
        }
        assertThat(Arrays.stream(sizes)).allMatch(size -> size > 850 && size < 1_150);
    }

    @Test
    void withoutSectionsThereIsNone() {
        assertThatThrownBy(() -> KeyHash.section(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The number of sections must be 1 or more: sections=0");
    }
}
