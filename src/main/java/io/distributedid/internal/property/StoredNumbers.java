package io.distributedid.internal.property;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a property stores numbers, and so how they are read back, in Java and in the SQL of MySQL, MariaDB, PostgreSQL
 * and H2. A row whose number is not understood would look as if it had none, and its number would be given again.
 *
 * <p>A text with anything but digits is no number, nor one that is larger than a {@code long}.
 */
public enum StoredNumbers {
    /** As numbers. */
    NUMBERS,
    /** As texts, of which only those of digits are numbers. */
    DIGITS;

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private static final Set<Integer> TEXTS = Set.of(
            Types.CHAR,
            Types.VARCHAR,
            Types.LONGVARCHAR,
            Types.CLOB,
            Types.NCHAR,
            Types.NVARCHAR,
            Types.LONGNVARCHAR,
            Types.NCLOB);

    /** @param type of a column, from {@link Types} */
    public static boolean areTexts(int type) {
        return TEXTS.contains(type);
    }

    /**
     * The same for the column as the table has it, which may be another one than the mapping says.
     *
     * @param type of the column, from {@link Types}
     */
    public StoredNumbers in(int type) {
        return areTexts(type) ? DIGITS : NUMBERS;
    }

    /** The condition for a number above {@code floor}, which is not negative. */
    public String above(String column, long floor) {
        return this == DIGITS ? digitsAbove(column, floor) : column + " > " + floor;
    }

    /**
     * The largest of some numbers. Only of those that {@link #above} finds: a database that is asked for others may
     * compare texts by their letters, or fail.
     */
    public String largest(String column) {
        return this == DIGITS ? "MAX(CAST(TRIM(" + column + ") AS DECIMAL(19)))" : "MAX(" + column + ")";
    }

    /** A query for the largest number. */
    public String queryOfLargest(String column, String table) {
        return "SELECT " + largest(column) + " FROM " + table + (this == DIGITS ? " WHERE " + above(column, 0) : "");
    }

    private static String digitsAbove(String column, long floor) {
        String text = "TRIM(" + column + ")";
        String rest = text;
        for (int digit = 1; digit <= 9; digit++) {
            rest = "REPLACE(" + rest + ", '" + digit + "', '0')";
        }
        // Then the longer one is larger.
        String number = "TRIM(LEADING '0' FROM " + text + ")";
        return rest + " = REPEAT('0', CHAR_LENGTH(" + text + ")) AND " + isLarger(number, floor) + " AND NOT "
                + isLarger(number, Long.MAX_VALUE);
    }

    private static String isLarger(String number, long than) {
        int length = Long.toString(than).length();
        return "(CHAR_LENGTH(" + number + ") > " + length + " OR CHAR_LENGTH(" + number + ") = " + length + " AND "
                + number + " > '" + than + "')";
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
