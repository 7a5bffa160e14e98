package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link RowRecord}s whose numbers this process has given or read. Each is the record of its sequence until the
 * process ends, also over suspends: a database that has another one, or none, has lost its rows, or is another database
 * to which its address leads now. So it is for those that the application's database remembers. Thread-safe.
 */
public final class KnownRecords {

    /** Asks the database for the record of a sequence; empty before its first use ever. */
    @FunctionalInterface
    interface Reading {
        Optional<RowRecord> record(String sequence) throws SQLException;
    }

    /** What outlives the process, and lies elsewhere than the rows. */
    @FunctionalInterface
    public interface Memory {

        /** Rows and what the application's database remembers are lost together. */
        Memory NONE = (sequence, record) -> record;

        /** The record that is remembered of a sequence. If there is none, the given one is from now on. */
        Optional<String> remember(String sequence, Optional<String> record) throws SQLException;
    }

    private final Map<String, RowRecord> bySequence = new ConcurrentHashMap<>();

    private final String where;

    private final Memory memory;

    /** @param where for messages */
    public KnownRecords(String where, Memory memory) {
        this.where = where;
        this.memory = memory;
    }

    String where() {
        return where;
    }

    /** Takes over what a source of the same settings has known. */
    void learn(KnownRecords former) {
        bySequence.putAll(former.bySequence);
    }

    /**
     * Reads the record of a sequence, and checks it. What is known is looked up first: another thread or process may
     * begin the sequence meanwhile.
     *
     * @throws IdConfigurationException if it is not the one that was known when the reading began, or is remembered
     */
    Optional<RowRecord> read(String sequence, Reading reading) throws SQLException {
        RowRecord known = bySequence.get(sequence);
        Optional<String> before =
                known == null ? memory.remember(sequence, Optional.empty()) : Optional.of(known.text());
        Optional<RowRecord> found = reading.record(sequence);
        Optional<String> number = found.map(RowRecord::text);
        if (before.isEmpty()) {
            before = number.isEmpty() ? number : memory.remember(sequence, number);
        }
        if (!before.equals(number)) {
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
