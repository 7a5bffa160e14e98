package io.distributedid.internal.counter;

import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.util.Map;

/**
 * A wish for ids of one counter on one server. The server compares the version and the state of the counter's row, and
 * gives ids only if they lie above the row's number and above {@code known}. In the same transaction it writes the last
 * id into the row, and the notes.
 *
 * @param counter whose ids are wanted
 * @param wanted how many, at least 1
 * @param version that the row must have
 * @param known the furthest that this process drew or saw of the server under the version
 * @param furthest beyond it, nothing is given or written: a counter that lies there was changed by hand
 * @param notes by the offset of another server: how far this process has seen it
 */
public record Draw(CounterKey counter, long wanted, Version version, long known, long furthest, Map<Long, Long> notes) {

    public Draw {
        notes = Map.copyOf(notes);
    }

    /** The same wish for another number of ids. */
    public Draw wanting(long count) {
        return new Draw(counter, count, version, known, furthest, notes);
    }

    /**
     * What it gets from an open row. This is the rule that every statement of a draw repeats. A block ends where the
     * column ends.
     *
     * @param numbering of the server
     * @param number of the row
     * @param last the last id that was drawn
     * @param largest the largest id that the counter holds
     */
    public Drawn judge(Numbering numbering, long number, long last, long largest) {
        long step = numbering.increment();
        if (last <= Math.max(number, known) - step || last > furthest || !numbering.holds(last)) {
            return Drawn.REFUSED;
        }
        if (last > largest - step) {
            return Drawn.EXHAUSTED;
        }
        long first = last + step;
        Block block = new Block(first, step, Math.min(wanted, (largest - first) / step + 1));
        return block.last() <= furthest ? Drawn.of(block) : Drawn.REFUSED;
    }
}
