package io.distributedid.sequencetable;

/** Where a sequence is counted. */
record SequenceRow(String table, String name) {

    /** As in messages. */
    @Override
    public String toString() {
        return "table=" + table + " name=" + name;
    }
}
