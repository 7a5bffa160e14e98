package io.distributedid.internal.counter;

/** Names a counter; its text goes into messages. Implementations are immutable and have equality. */
public interface Counter {

    /**
     * The counter's row in its table.
     *
     * @return as it is configured
     */
    String rowName();
}
