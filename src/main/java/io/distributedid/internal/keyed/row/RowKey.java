package io.distributedid.internal.keyed.row;

/**
 * The row of a key. No key of a caller begins with white space.
 *
 * @param table in SQL
 */
record RowKey(String table, String sequence, String key) {

    /** The row of the sequence's {@link RowRecord}. */
    static final String RECORD = " @record";

    /** The largest number of the keys that were deleted. New keys begin above it. */
    static final String FLOOR = " floor";

    RowKey floor() {
        return new RowKey(table, sequence, FLOOR);
    }

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + sequence + " key=" + key;
    }
}
