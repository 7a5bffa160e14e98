package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterKey;

/** A counter: a row of the one sequence table, or a ticket table of its own. */
record MemoryKey(String sequence, boolean isTicketTable) {

    String table() {
        return isTicketTable ? "Tickets_" + sequence : "sequence";
    }

    CounterKey counter() {
        return new CounterKey(table(), rowName(), sequence);
    }

    /** The name of its row of the ledger. */
    String key() {
        return table() + "/" + rowName();
    }

    private String rowName() {
        return isTicketTable ? "" : sequence;
    }

    @Override
    public String toString() {
        return isTicketTable ? "table=" + table() : "table=sequence seq=" + sequence;
    }
}
