package io.distributedid.internal.property;

import java.sql.Types;
import java.util.Set;

/**
 * Compares numbers in a column of texts by their digits, in SQL that MySQL, MariaDB, PostgreSQL and H2 understand. A
 * text with anything but digits is no number, nor one that is larger than a {@code long}.
 */
final class NumberTexts {

    private static final Set<Integer> TEXTS = Set.of(
            Types.CHAR,
            Types.VARCHAR,
            Types.LONGVARCHAR,
            Types.CLOB,
            Types.NCHAR,
            Types.NVARCHAR,
            Types.LONGNVARCHAR,
            Types.NCLOB);

    private NumberTexts() {}

    /** @param type of a column, from {@link Types} */
    static boolean areIn(int type) {
        return TEXTS.contains(type);
    }

    /** The condition for a number above {@code floor}, which is not negative. */
    static String above(String column, long floor) {
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

    /** The largest number of the texts that {@link #above} finds. */
    static String largest(String column) {
        return "MAX(CAST(TRIM(" + column + ") AS DECIMAL(19)))";
    }

    private static String isLarger(String number, long than) {
        int length = Long.toString(than).length();
        return "(CHAR_LENGTH(" + number + ") > " + length + " OR CHAR_LENGTH(" + number + ") = " + length + " AND "
                + number + " > '" + than + "')";
    }
}
