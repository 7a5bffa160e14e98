package io.distributedid.internal.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredNumbersTest {

    private static final LongFunction<Object> INVOICE = number -> "2026-INV-" + number;

    @Test
    void numbersOfAllTypesAreReadBack() {
        assertThat(StoredNumbers.read(7L)).hasValue(7);
        assertThat(StoredNumbers.read(7)).hasValue(7);
        assertThat(StoredNumbers.read(BigInteger.valueOf(7))).hasValue(7);
        assertThat(StoredNumbers.read(new BigDecimal("7.00"))).hasValue(7);
        assertThat(StoredNumbers.read(new BigDecimal("7E+2"))).hasValue(700);
        assertThat(StoredNumbers.read(new BigDecimal(Long.MAX_VALUE))).hasValue(Long.MAX_VALUE);
    }

    @Test
    void numbersThatNoSequenceGivesAreNone() {
        for (String other : new String[] {"0", "0.00", "-3", "1.5", "9223372036854775808", "1E+999999999"}) {
            assertThat(StoredNumbers.read(new BigDecimal(other))).as(other).isEmpty();
        }
        assertThat(StoredNumbers.read(new BigInteger("9223372036854775808"))).isEmpty();
        assertThat(StoredNumbers.read(null)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "007", " 7 ", "0000000000000000000000007"})
    void textsOfDigitsAreNumbers(String text) {
        assertThat(StoredNumbers.read(text)).hasValue(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "000", "A-7", "7-", "-7", "+7", "7.0", "7E1", "9223372036854775808", "\u0667"})
    void otherTextsAreNone(String text) {
        assertThat(StoredNumbers.read(text)).isEmpty();
    }
}
