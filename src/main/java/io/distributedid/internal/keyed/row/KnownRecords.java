package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link RowRecord}s whose numbers this process has given or read. Each is the record of its sequence until the
 * process ends, also over suspends: a database that has another one, or none, has lost its rows, or is another database
 * to which its address leads now. Thread-safe.
 */
final class KnownRecords {

    /** Asks the database for the record of a sequence. */
    @FunctionalInterface
    interface Reading {
        Optional<RowRecord> record(String sequence) throws SQLException;
    }

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
     * Reads the record of a sequence, and checks it. What is known is looked up first: another thread may begin the
     * sequence meanwhile.
     *
     * @throws IdConfigurationException if it is not the one that was known when the reading began
     */
    Optional<RowRecord> read(String sequence, Reading reading) throws SQLException {
        RowRecord known = bySequence.get(sequence);
        Optional<RowRecord> found = reading.record(sequence);
        if (known != null && !found.equals(Optional.of(known))) {
            throw RowRecord.lost(found.isPresent(), sequence, where);
        }
        return found;
    }

    /**
     * Remembers the record of numbers that were taken or read, before a caller gets one.
     *
     * @throws IdConfigurationException if another one is known since
     */
    void note(String sequence, RowRecord used) {
        RowRecord known = bySequence.putIfAbsent(sequence, used);
        if (known != null && !known.equals(used)) {
            throw RowRecord.lost(true, sequence, where);
        }
    }
}
