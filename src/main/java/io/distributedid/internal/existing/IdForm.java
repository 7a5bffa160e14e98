package io.distributedid.internal.existing;

import io.distributedid.spi.DatabaseProduct;

/** The format of ids in a text column. Other texts, for example old UUIDs, are ignored. */
public enum IdForm {
    /** {@code 123}: sorts like numbers only among texts of one length. */
    DECIMAL,

    /** {@code 0000000000000000123}: 19 digits, sorts like numbers. */
    PADDED,

    /** Either of the two, if the mapping is not known. */
    EITHER;

    static final int DIGITS = 19;

    static final String LARGEST = Long.toString(Long.MAX_VALUE);

    /** The SQL condition that a text is an id. Without braces, because JDBC reads them as escapes. */
    String condition(String text, DatabaseProduct product) {
        String length = "CHAR_LENGTH(" + text + ")";
        String longest = length + " = " + DIGITS + " AND " + text + " <= '" + LARGEST + "'";
        String matches = text + (product == DatabaseProduct.POSTGRESQL ? " ~ '^" : " REGEXP '^")
                + (this == DECIMAL ? "[1-9][0-9]*" : "[0-9]+") + "$'";
        return switch (this) {
            case PADDED -> matches + " AND " + longest;
            case DECIMAL -> matches + " AND (" + length + " < " + DIGITS + " OR " + longest + ")";
            case EITHER ->
                matches + " AND (" + length + " < " + DIGITS + " AND " + text + " NOT LIKE '0%' OR " + longest + ")";
        };
    }
}
