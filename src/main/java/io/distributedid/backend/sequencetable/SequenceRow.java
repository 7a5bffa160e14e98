package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;

/** The row that counts a sequence. */
record SequenceRow(String table, String name) implements CounterKey {

    @Override
    public String rowName() {
        return name;
    }

    @Override
    public boolean isAloneInItsTable() {
        return false;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "table=" + table + " name=" + name;
    }
}
