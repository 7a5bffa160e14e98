package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.RowRecord.Way;
import io.distributedid.internal.process.Platform;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes numbers outside of transactions, on one connection. The first number of a sequence reads the {@link RowRecord}.
 * For one thread at a time.
 */
public final class RowSession implements DedicatedConnection.Session {

    private final RowStore rows;

    private final KnownRecords known;

    private final Platform platform;

    /** By sequence. */
    private final Map<String, RowRecord> begun = new HashMap<>();

    /** @param known gets the records of sequences, and is asked before one is written */
    public RowSession(RowStore rows, KnownRecords known, Platform platform) {
        this.rows = rows;
        this.known = known;
        this.platform = platform;
    }

    /**
     * Takes numbers of several keys, and returns the last ones. Leaves out those that would wait for another client,
     * and those of sequences that this connection has not used yet.
     *
     * @param counts above 0
     */
    Map<RowKey, Long> takeTogether(Map<RowKey, Long> counts) throws SQLException {
        List<RowStore.Take> takes = new ArrayList<>();
        counts.forEach((row, count) -> {
            RowRecord record = begun.get(row.sequence());
            if (record != null) {
                takes.add(new RowStore.Take(row, count, record.number()));
            }
        });
        Map<RowKey, Long> last = takes.size() > 1 ? rows.addTogether(takes) : Map.of();
        last.keySet().forEach(row -> known.note(row.sequence(), Objects.requireNonNull(begun.get(row.sequence()))));
        return last;
    }

    /**
     * Takes numbers of a key, and returns the last of them. If the record has changed, a key without a row gets none,
     * and on PostgreSQL and H2 no key does.
     *
     * @throws IdConfigurationException if the sequence is numbered in another way, or has another record than the known
     *     one
     */
    long take(RowKey row, long count) throws SQLException {
        RowRecord record = begun(row.sequence());
        OptionalLong last = rows.add(row, count, record.number());
        if (last.isEmpty()) {
            rows.insertAboveFloor(row, record.number());
            last = rows.add(row, count, record.number());
        }
        if (last.isEmpty()) {
            SQLException refused = rows.refused(row, count);
            requireFloor(row.sequence(), record);
            throw refused;
        }
        known.note(row.sequence(), record);
        return last.getAsLong();
    }

    private void requireFloor(String sequence, RowRecord record) throws SQLException {
        OptionalLong floor = rows.read(RowKey.floor(sequence));
        OptionalLong recorded = rows.read(RowKey.record(sequence));
        if (floor.isEmpty() && recorded.equals(OptionalLong.of(record.number()))) {
            throw new IdConfigurationException("A sequence has lost the row that says where new keys begin: seq="
                    + sequence + " key='" + RowKey.FLOOR + "' " + known.where()
                    + ". Insert it with a number that no deleted key has exceeded");
        }
    }

    /**
     * The record of a sequence that this connection has found before, or finds now. At the first use ever, it is
     * written: of several processes, the first one's is the record.
     */
    private RowRecord begun(String sequence) throws SQLException {
        RowRecord before = begun.get(sequence);
        if (before != null) {
            return before;
        }
        Optional<RowRecord> found = known.read(sequence, this::record);
        if (found.isEmpty()) {
            // Whoever finds the record finds the floor.
            rows.insert(RowKey.floor(sequence), 0);
            rows.insert(
                    RowKey.record(sequence),
                    RowRecord.random(Way.ROWS, platform).number());
            found = known.read(sequence, this::record);
        }
        RowRecord record = found.orElseThrow(() -> RowRecord.deleted(sequence));
        begun.put(sequence, record);
        return record;
    }

    private Optional<RowRecord> record(String sequence) throws SQLException {
        OptionalLong number = rows.read(RowKey.record(sequence));
        if (number.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(RowRecord.parse(number.getAsLong(), Way.ROWS, sequence, known.where()));
    }

    /** The last number of a key; 0 if it has none. Before the first use, an operator may have inserted rows. */
    long read(RowKey row) throws SQLException {
        Optional<RowRecord> record = known.read(row.sequence(), this::record);
        long last = rows.read(row).orElse(0);
        record.ifPresent(used -> known.note(row.sequence(), used));
        return last;
    }

    @Override
    public void restore() throws SQLException {
        rows.restore();
    }
}
