package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;

/** Where a sequence is counted. */
record SequenceRow(String table, String name) implements CounterKey {

    @Override
    public String rowName() {
        return name;
    }

    @Override
    public boolean isAloneInItsTable() {
        return false;
    }

    /** As in messages. */
    @Override
    public String toString() {
        return "table=" + table + " name=" + name;
    }
}
