package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "0",
                "9223372036854775807",
                "007",
                "+42",
                "-",
                "-0",
                "-a",
                "4.2",
                "9223372036854775808",
                "alice@example.com",
                "two words",
                "Z\u00fcrich",
                "\u65e5\u672c",
                "\ud83d\ude00"
            })
    void textsAreKeysAsTheyAre(String key) {
        assertThat(KeyText.of("messages", key)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void aNegativeNumberIsRefused(long key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", Long.toString(key)))
                .withMessage("A key that is a number must not be negative: seq=messages key=" + key
                        + ", allowed: 0 to 9223372036854775807, or another text");
    }

    @Test
    void anEmptyOrLongTextIsRefused() {
        assertThat(KeyText.of("messages", "x".repeat(150))).hasSize(150);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", "x".repeat(151)))
                .withMessage("A key must have 1 to 150 characters: seq=messages length=151. Use a shorter key, for"
                        + " example its hash");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", ""))
                .withMessageContaining("length=0");
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "a ", "\u00a0a", "a\u2003", " "})
    void whiteSpaceAtTheEndsIsRefused(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", key))
                .withMessage("A key must not begin or end with white space: seq=messages key='" + key + "'. Strip it");
    }

    @Test
    void anotherFormOfUnicodeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", "Zu\u0308rich"))
                .withMessage("A key must be in Unicode's form NFC: seq=messages key=Zu\u0308rich. Normalise it:"
                        + " Normalizer.normalize(key, Normalizer.Form.NFC)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\tb", "a\nb", "a\u007fb", "a\u0085b"})
    void aControlCharacterIsRefusedAndNotPrinted(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", key))
                .withMessage("A key must not contain a control character: seq=messages character=U+"
                        + String.format("%04X", (int) key.charAt(1)) + " index=1. Remove it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\ud83d", "\ude00a", "a\ude00\ud83db"})
    void anUnpairedSurrogateIsRefused(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.of("messages", key))
                .withMessageContaining("A key must not contain an unpaired surrogate: seq=messages character=U+D");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 10_001})
    void aCountOutOfRangeIsRefused(int count) {
        KeyText.requireCount("messages", 1);
        KeyText.requireCount("messages", 10_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyText.requireCount("messages", count))
                .withMessage("The count of numbers must be from 1 to 10000: seq=messages count=" + count
                        + ". Call several times for more");
    }
}
