package io.distributedid.internal.counter;

/** Names a counter; its text goes into messages. Implementations are immutable and have equality. */
public interface Counter {

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
}
