package io.distributedid.internal.existing;

import io.distributedid.spi.DatabaseProduct;
import java.util.regex.Pattern;

/** The format of ids in a text column. Other texts, for example old UUIDs, are ignored. */
enum IdForm {
    /** {@code 123}: sorts like numbers only among texts of one length. */
    DECIMAL("[1-9][0-9]*"),

    /** {@code 0000000000000000123}: 19 digits, sorts like numbers. */
    PADDED("[0-9]+"),

    /** Either of the two, if the mapping is not known. */
    EITHER("[0-9]+");

    static final int DIGITS = 19;

    static final String LARGEST = Long.toString(Long.MAX_VALUE);

    private final String digits;

    private final Pattern pattern;

    IdForm(String digits) {
        this.digits = digits;
        pattern = Pattern.compile(digits);
    }

    static IdForm of(boolean padded) {
        return padded ? PADDED : DECIMAL;
    }

    /** The SQL condition that a text is an id. Without braces, because JDBC reads them as escapes. */
    String condition(String text, DatabaseProduct product) {
        String length = "CHAR_LENGTH(" + text + ")";
        String longest = length + " = " + DIGITS + " AND " + text + " <= '" + LARGEST + "'";
        String matches = text + (product == DatabaseProduct.POSTGRESQL ? " ~ '^" : " REGEXP '^") + digits + "$'";
        return switch (this) {
            case PADDED -> matches + " AND " + longest;
            case DECIMAL -> matches + " AND (" + length + " < " + DIGITS + " OR " + longest + ")";
            case EITHER ->
                matches + " AND (" + length + " < " + DIGITS + " AND " + text + " NOT LIKE '0%' OR " + longest + ")";
        };
    }

    /** Whether a text is an id. */
    boolean matches(String text) {
        return pattern.matcher(text).matches()
                && (text.length() < DIGITS ? isShort(text) : text.length() == DIGITS && text.compareTo(LARGEST) <= 0);
    }

    private boolean isShort(String text) {
        return this != PADDED && !text.startsWith("0");
    }
}
