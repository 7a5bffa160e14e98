package io.distributedid.internal.property;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalLong;
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
    DIGITS;

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /**
     * The same for the column as the table has it, which may be another one than the mapping says.
     *
     * @param type of the column, from {@link java.sql.Types}
     */
    public StoredNumbers in(int type) {
        return NumberTexts.areIn(type) ? DIGITS : NUMBERS;
    }

    /** The condition for a number above {@code floor}, which is not negative. */
    public String above(String column, long floor) {
        return this == DIGITS ? NumberTexts.above(column, floor) : column + " > " + floor;
    }

    /**
     * The largest of some numbers. Only of those that {@link #above} finds: a database that is asked for others may
     * compare texts by their letters, or fail.
     */
    public String largest(String column) {
        return this == DIGITS ? NumberTexts.largest(column) : "MAX(" + column + ")";
    }

    /** A query for the largest number. */
    public String queryOfLargest(String column, String table) {
        return "SELECT " + largest(column) + " FROM " + table + (this == DIGITS ? " WHERE " + above(column, 0) : "");
    }

    /**
     * The number that a value stands for; empty if it is none that a sequence gives.
     *
     * @param value of one of the {@linkplain IdType basic types}
     */
    public static OptionalLong read(@Nullable Object value) {
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
}
