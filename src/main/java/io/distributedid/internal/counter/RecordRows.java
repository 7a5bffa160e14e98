package io.distributedid.internal.counter;

import java.util.Map;
import java.util.Optional;

/**
 * What a {@link RecordStore} holds of one counter.
 *
 * @param claim of the counter's table
 * @param counter the record of the counter
 * @param witnesses by the offset of the server
 */
public record RecordRows(
        Optional<NumberingRecord> claim, Optional<CounterRecord> counter, Map<Long, Witness> witnesses) {

    public static final RecordRows NONE = new RecordRows(Optional.empty(), Optional.empty(), Map.of());
}
