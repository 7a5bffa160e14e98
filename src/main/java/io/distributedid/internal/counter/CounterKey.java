package io.distributedid.internal.counter;

/**
 * Names a counter. Rows of the ledger are named by table and row, never by sequence: sequences that share a counter
 * share its row. Immutable.
 *
 * @param table the configured name of its table
 * @param row the name of its row in the table; empty if the table holds one counter
 * @param sequence for commands; {@code SEQ} if several sequences may use the counter
 */
public record CounterKey(String table, String row, String sequence) {

    /** What is asked for together: the counters of a table; or tables of one counter each. */
    String batch() {
        return row.isEmpty() ? "" : table;
    }

    /** The counter with the same row in another table. */
    CounterKey in(String other) {
        return new CounterKey(other, row, sequence);
    }

    /** The name of the row of the ledger that describes the table. */
    public String header() {
        return table;
    }

    /** The name of the counter's row of the ledger. */
    public String ledgerRow() {
        return table + "/" + row;
    }

    /** The name of the row of the ledger that says how far the server with this offset was seen. */
    public String note(long offset) {
        return ledgerRow() + "@" + offset;
    }

    /** For messages. A key of Redis has braces. */
    @Override
    public String toString() {
        return (table.indexOf('{') < 0 ? "table=" : "key=") + table + (row.isEmpty() ? "" : " name=" + row);
    }
}
