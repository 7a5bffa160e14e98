package io.distributedid.simulation;

import io.distributedid.internal.counter.CounterKey;

/** A counter: a row of the one sequence table, or a ticket table of its own. */
record MemoryKey(String sequence, boolean isTicketTable) implements CounterKey {

    @Override
    public String table() {
        return isTicketTable ? "Tickets_" + sequence : "sequence";
    }

    /** Ticket tables of a schema share the table of the record. */
    @Override
    public String group() {
        return isTicketTable ? "" : table();
    }

    /** With a ledger. */
    io.distributedid.internal.counting.CounterKey counter() {
        return new io.distributedid.internal.counting.CounterKey(table(), rowName(), sequence);
    }

    /** The key of its record, or the name of its row of the ledger. */
    String key() {
        return table() + "/" + rowName();
    }

    @Override
    public String rowName() {
        return isTicketTable ? "" : sequence;
    }

    @Override
    public boolean isAloneInItsTable() {
        return isTicketTable;
    }

    @Override
    public String toString() {
        return isTicketTable ? "table=" + table() : "table=sequence seq=" + sequence;
    }
}
