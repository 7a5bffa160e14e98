package io.distributedid.internal.counter;

/** Names a counter; its text goes into messages. Implementations are immutable and have equality. */
public interface CounterKey {

    /**
     * The counter's row in its table.
     *
     * @return as it is configured
     */
    String rowName();

    /**
     * Whether its table holds no other counter.
     *
     * @return whether what is done to the table is done to this counter alone
     */
    boolean isAloneInItsTable();

    /**
     * The command that ends most errors, with the sequence if the counter has only one.
     *
     * @return as it is typed
     */
    default String repairCommand() {
        return "distributedid repair " + (isAloneInItsTable() ? "SEQ" : rowName());
    }

    /**
     * The command that divides the numbers between other servers.
     *
     * @return as it is typed
     */
    default String moveCommand() {
        return isAloneInItsTable() ? repairCommand() : "distributedid move";
    }
}
