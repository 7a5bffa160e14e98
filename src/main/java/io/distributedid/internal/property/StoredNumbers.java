package io.distributedid.internal.property;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a property stores numbers, and so how they are read back, in Java and in the SQL of MySQL, MariaDB, PostgreSQL
 * and H2. A row whose number is not understood would look as if it had none, and its number would be given again.
 */
public enum StoredNumbers {
    /** As numbers. */
    NUMBERS,
    /** As texts, of which only those of digits are numbers. */
    DIGITS,
    /** As texts that a converter of the application writes, for example INV-1. */
    CODES,
    /** As other values that the application makes of the numbers, for example -1. */
    CONVERTED;

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /**
     * The same for the column as the table has it, which may be another one than the mapping says.
     *
     * @param type of the column, from {@link java.sql.Types}
     */
    public StoredNumbers in(int type) {
        if (isOther()) {
            return this;
        }
        return NumberTexts.areIn(type) ? DIGITS : NUMBERS;
    }

    /** Whether the values are none of the numbers, nor their digits, so that SQL does not know their order. */
    private boolean isOther() {
        return this == CODES || this == CONVERTED;
    }

    /**
     * The condition for a number above {@code floor}, which is not negative; empty if SQL can't tell. Above 0, any
     * value that the application makes counts: it was made of a number.
     */
    public Optional<String> above(String column, long floor) {
        if (isOther()) {
            return floor == 0 ? Optional.of(column + " IS NOT NULL") : Optional.empty();
        }
        return Optional.of(this == DIGITS ? NumberTexts.above(column, floor) : column + " > " + floor);
    }

    /**
     * The largest of some numbers. Only of those that {@link #above} finds: a database that is asked for others may
     * compare texts by their letters, or fail.
     */
    public String largest(String column) {
        return switch (this) {
            case NUMBERS -> "MAX(" + column + ")";
            case DIGITS -> NumberTexts.largest(column);
            case CODES, CONVERTED -> "<the largest number that " + column + " stands for>";
        };
    }

    /** A query for the largest number. */
    public String queryOfLargest(String column, String table) {
        return switch (this) {
            case NUMBERS -> "SELECT " + largest(column) + " FROM " + table;
            case DIGITS -> "SELECT " + largest(column) + " FROM " + table + " WHERE " + NumberTexts.above(column, 0);
            case CODES, CONVERTED -> "SELECT " + column + " FROM " + table + " WHERE " + column + " IS NOT NULL";
        };
    }

    /**
     * The number that a value stands for; empty if it is none that a sequence gives.
     *
     * @param value of one of the {@linkplain IdType basic types}
     * @param writer the value that is stored for a number
     */
    public OptionalLong read(@Nullable Object value, LongFunction<@Nullable Object> writer) {
        return this == CODES && value instanceof String text ? code(text, writer) : number(value);
    }

    private static OptionalLong number(@Nullable Object value) {
        if (value instanceof String text) {
            String digits = text.strip();
            return NUMBER.matcher(digits).matches() ? positive(new BigDecimal(digits)) : OptionalLong.empty();
        }
        if (value instanceof BigDecimal decimal) {
            return positive(decimal);
        }
        if (value instanceof BigInteger integer) {
            return positive(new BigDecimal(integer));
        }
        return value instanceof Number other ? positive(BigDecimal.valueOf(other.longValue())) : OptionalLong.empty();
    }

    private static OptionalLong positive(BigDecimal number) {
        try {
            return number.signum() > 0 ? OptionalLong.of(number.longValueExact()) : OptionalLong.empty();
        } catch (ArithmeticException e) {
            // A fraction, or larger than any number of a sequence.
            return OptionalLong.empty();
        }
    }

    /** Only a number for which the converter writes this text is known to be meant by its digits. */
    private static OptionalLong code(String text, LongFunction<@Nullable Object> writer) {
        Matcher digits = NUMBER.matcher(text);
        while (digits.find()) {
            OptionalLong number = number(digits.group());
            if (number.isPresent() && text.equals(written(number.getAsLong(), writer))) {
                return number;
            }
        }
        return OptionalLong.empty();
    }

    private static @Nullable Object written(long number, LongFunction<@Nullable Object> writer) {
        try {
            return writer.apply(number);
        } catch (RuntimeException e) {
            // Not written for this number.
            return null;
        }
    }
}
