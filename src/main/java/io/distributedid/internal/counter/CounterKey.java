package io.distributedid.internal.counter;

/** Names a counter; its text goes into messages. Implementations are immutable and have equality. */
public interface CounterKey {

    /** The configured name of its table. */
    String table();

    /** The configured name of the counter's row in its table. */
    String rowName();

    /**
     * Counters with equal groups are looked at and changed together: those of one table, or of tables that share the
     * table of the record.
     */
    default String group() {
        return table();
    }

    /** Whether its table holds no other counter, so that a change of the table affects this counter alone. */
    boolean isAloneInItsTable();

    /** Its sequence, for commands; SEQ if several may use the counter. */
    default String sequence() {
        return isAloneInItsTable() ? "SEQ" : rowName();
    }

    /** The command that ends most errors. */
    default String repairCommand() {
        return "distributedid repair " + sequence();
    }

    /** The command that divides the numbers between other servers. */
    default String moveCommand() {
        return isAloneInItsTable() ? repairCommand() : "distributedid move";
    }
}
