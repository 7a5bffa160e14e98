package io.distributedid.internal.counter;

import io.distributedid.internal.ledger.Version;
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
}
