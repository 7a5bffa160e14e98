package io.distributedid.internal.property;

import static io.distributedid.internal.property.StoredNumbers.CODES;
import static io.distributedid.internal.property.StoredNumbers.CONVERTED;
import static io.distributedid.internal.property.StoredNumbers.DIGITS;
import static io.distributedid.internal.property.StoredNumbers.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredNumbersTest {

    private static final LongFunction<Object> INVOICE = number -> "2026-INV-" + number;

    @Test
    void numbersOfAllTypesAreReadBack() {
        assertThat(NUMBERS.read(7L, Long::valueOf)).hasValue(7);
        assertThat(NUMBERS.read(7, Long::valueOf)).hasValue(7);
        assertThat(NUMBERS.read(BigInteger.valueOf(7), Long::valueOf)).hasValue(7);
        assertThat(NUMBERS.read(new BigDecimal("7.00"), Long::valueOf)).hasValue(7);
        assertThat(NUMBERS.read(new BigDecimal("7E+2"), Long::valueOf)).hasValue(700);
        assertThat(NUMBERS.read(new BigDecimal(Long.MAX_VALUE), Long::valueOf)).hasValue(Long.MAX_VALUE);
    }

    @Test
    void numbersThatNoSequenceGivesAreNone() {
        for (String other : new String[] {"0", "0.00", "-3", "1.5", "9223372036854775808", "1E+999999999"}) {
            assertThat(NUMBERS.read(new BigDecimal(other), Long::valueOf))
                    .as(other)
                    .isEmpty();
        }
        assertThat(NUMBERS.read(new BigInteger("9223372036854775808"), Long::valueOf))
                .isEmpty();
        assertThat(NUMBERS.read(null, Long::valueOf)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "007", " 7 ", "0000000000000000000000007"})
    void textsOfDigitsAreNumbers(String text) {
        assertThat(DIGITS.read(text, Long::toString)).hasValue(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "000", "A-7", "7-", "-7", "+7", "7.0", "7E1", "9223372036854775808", "\u0667"})
    void otherTextsAreNone(String text) {
        assertThat(DIGITS.read(text, Long::toString)).isEmpty();
    }

    @Test
    void aTextOfAConverterIsTheNumberForWhichItWritesTheText() {
        assertThat(CODES.read("2026-INV-17", INVOICE)).hasValue(17);
        assertThat(CODES.read("17", Long::toString)).hasValue(17);
        assertThat(CODES.read("2026-INV-0017", INVOICE)).isEmpty();
        assertThat(CODES.read("INV-17", INVOICE)).isEmpty();
        assertThat(CODES.read("INV-17", number -> {
                    throw new IllegalArgumentException("Not by this converter");
                }))
                .isEmpty();
        assertThat(CODES.read("101", number -> Long.toHexString(256 + number)))
                .as("written for 1")
                .isEmpty();
    }

    @Test
    void anyOtherValueOfANumberCountsAboveZeroAlone() {
        assertThat(CONVERTED.above("n", 0)).hasValue("n IS NOT NULL");
        assertThat(CONVERTED.above("n", 3)).isEmpty();
        assertThat(CONVERTED.in(Types.VARCHAR)).isEqualTo(CONVERTED);
        assertThat(CONVERTED.largest("n")).isEqualTo("<the largest number that n stands for>");
        assertThat(CONVERTED.queryOfLargest("n", "t")).isEqualTo("SELECT n FROM t WHERE n IS NOT NULL");
    }
}
