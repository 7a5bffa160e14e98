package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link RowRecord}s whose numbers this process has given or read. Each is the record of its sequence until the
 * process ends, also over suspends: a database that has another one, or none, has lost its rows, or is another database
 * to which its address leads now. Thread-safe.
 */
final class KnownRecords {

    private final Map<String, RowRecord> bySequence = new ConcurrentHashMap<>();

    private final String where;

    /** @param where for messages */
    KnownRecords(String where) {
        this.where = where;
    }

    /** Takes over what a source of the same settings has known. */
    void learn(KnownRecords former) {
        bySequence.putAll(former.bySequence);
    }

    /**
     * Checks the record that the database has.
     *
     * @throws IdConfigurationException if it is not the one that is known
     */
    void require(String sequence, Optional<RowRecord> found) {
        RowRecord known = bySequence.get(sequence);
        if (known != null && !found.equals(Optional.of(known))) {
            throw RowRecord.lost(found.isPresent(), sequence, where);
        }
    }

    /**
     * Remembers the record of numbers that were taken or read, before a caller gets one.
     *
     * @throws IdConfigurationException if another one is known since
     */
    void note(String sequence, RowRecord used) {
        bySequence.putIfAbsent(sequence, used);
        require(sequence, Optional.of(used));
    }
}
