package io.distributedid.internal.keyed.row;

/**
 * The row of a key. An empty key means the record of the sequence, see {@link RowRecord}.
 *
 * @param table in SQL
 */
record RowKey(String table, String sequence, String key) {

    static final String RECORD = "";

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + sequence + " key=" + key;
    }
}
