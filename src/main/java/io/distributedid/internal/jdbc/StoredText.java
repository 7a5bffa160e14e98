package io.distributedid.internal.jdbc;

import io.distributedid.spi.DatabaseProduct;

/**
 * The texts in our tables. None is empty, since Oracle, and H2 in its mode, store an empty text as NULL: {@code -}
 * stands for it, and in front of a text that begins with {@code -}.
 */
public final class StoredText {

    /** The empty text in SQL. */
    public static final String EMPTY = "'-'";

    private static final String MARK = "-";

    private StoredText() {}

    /** What to store for a text that may be empty. */
    public static String of(String text) {
        return text.isEmpty() || text.startsWith(MARK) ? MARK + text : text;
    }

    /** The text that {@link #of} stored. */
    public static String read(String stored) {
        return stored.startsWith(MARK) ? stored.substring(1) : stored;
    }

    /** The type of a column whose texts are equal only if all their characters are, also with H2's IGNORECASE=TRUE. */
    public static String type(DatabaseProduct product, int length) {
        if (product == DatabaseProduct.H2) {
            return "VARCHAR_CASESENSITIVE(" + length + ")";
        }
        return "VARCHAR(" + length + ")"
                + (product == DatabaseProduct.POSTGRESQL
                        ? " COLLATE \"C\""
                        : " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
    }
}
