package io.distributedid.internal.counter;

import io.distributedid.internal.ledger.Version;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A change of one row of one server's ledger, by compare-and-set. Two equal writes are one.
 *
 * @param place of the server in the list, from 0
 * @param expected the version that the row must have; null if it must be missing
 * @param change what to do
 */
public record Write(int place, @Nullable Version expected, Change change) {

    /** What is written. */
    public sealed interface Change {

        CounterKey counter();
    }

    /**
     * Creates or replaces the header of the counter's table.
     *
     * @param counter of the table
     * @param header afterwards
     */
    public record ToHeader(CounterKey counter, Header header) implements Change {

        /** The same for all counters of a table, so that their changes of its header are equal. */
        public ToHeader {
            counter = new CounterKey(counter.table(), "", "SEQ");
        }
    }

    /**
     * Creates or replaces the row of a counter. In the same transaction creates the counter, or raises it.
     *
     * @param counter whose row it is
     * @param wasLost whether the row that was seen is marked as lost, which is compared like the version
     * @param row afterwards. Its number does not fall: draws raise it without a new version. Only a row that has still
     *     this number is marked as lost, since what was seen may have been old
     * @param above the counter is created or raised, so that its next id lies above this; empty if it stays
     * @param notes by the offset of another server: written if they are higher than what is there;
     *     {@link Seen#NOT_CREATED} only if there is nothing
     * @param isLoss whether it makes up for lost ids
     */
    public record ToRow(
            CounterKey counter,
            boolean wasLost,
            CounterRow row,
            OptionalLong above,
            Map<Long, Long> notes,
            boolean isLoss)
            implements Change {

        public ToRow {
            notes = Map.copyOf(notes);
        }

        /** Whether only the application asks for it. */
        boolean isRaisedTo(Minimum minimum) {
            return !isLoss && above.orElse(0) == minimum.raiseAbove();
        }
    }

    /**
     * Ends the note that a counter was not created on another server.
     *
     * @param counter that is noted
     * @param offset of the other server
     * @param number what the note says from now on
     */
    public record ToNote(CounterKey counter, long offset, long number) implements Change {}
}
