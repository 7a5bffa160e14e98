package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A connection in autocommit mode, with the table checked on it. Its first number of a sequence reads the
 * {@link RowRecord}. For one thread at a time.
 */
final class RowSession implements DedicatedConnection.Session {

    private final Connection connection;

    private final RowTable table;

    private final RowDialect dialect;

    /** The connection's former isolation level. Only PostgreSQL's is changed. */
    private final int isolation;

    /** Kept, since a driver may parse each new statement. */
    private final PreparedStatement update;

    private final RowBatch batch;

    /** By sequence. */
    private final Map<String, RowRecord> begun = new HashMap<>();

    RowSession(Connection connection, RowTable table) throws SQLException {
        this.connection = connection;
        this.table = table;
        DatabaseProduct product = DatabaseProduct.of(connection);
        this.dialect = RowDialect.of(product);
        this.isolation = product == DatabaseProduct.POSTGRESQL
                ? connection.getTransactionIsolation()
                : Connection.TRANSACTION_READ_COMMITTED;
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        table.require(connection, product, dialect);
        update = dialect.prepareTake(connection, table.name());
        batch = dialect.batch(connection, product);
    }

    private RowKey row(String sequence, String key) {
        return new RowKey(table.name(), sequence, key);
    }

    /**
     * Takes numbers of several keys, and returns the last ones. Leaves out those that would wait for another client,
     * and those of sequences that this connection has not used yet.
     *
     * @param counts above 0
     * @param known as for {@link #take}
     */
    Map<RowCall.Spot, Long> takeTogether(Map<RowCall.Spot, Long> counts, KnownRecords known) throws SQLException {
        Map<RowKey, RowCall.Spot> spots = new HashMap<>();
        List<RowBatch.Take> takes = new ArrayList<>();
        counts.forEach((spot, count) -> {
            RowRecord record = begun.get(spot.sequence());
            if (record != null) {
                RowKey row = row(spot.sequence(), spot.key());
                spots.put(row, spot);
                takes.add(new RowBatch.Take(row, count, record.number()));
            }
        });
        Map<RowCall.Spot, Long> last = new HashMap<>();
        if (takes.size() > 1) {
            batch.take(takes).forEach((row, number) -> {
                known.note(row.sequence(), Objects.requireNonNull(begun.get(row.sequence())));
                last.put(Objects.requireNonNull(spots.get(row)), number);
            });
        }
        return last;
    }

    /**
     * The record of a sequence that this connection has found before, or finds now. At the first use ever, it is
     * written: of several processes, the first one's is the record.
     */
    private RowRecord begun(String sequence, KnownRecords known) throws SQLException {
        RowRecord before = begun.get(sequence);
        if (before != null) {
            return before;
        }
        Optional<RowRecord> found = known.read(sequence, this::record);
        if (found.isEmpty()) {
            boolean unused = dialect.insert(
                    connection,
                    row(sequence, RowKey.RECORD),
                    RowRecord.random(RowRecord.Way.ROWS).number());
            found = known.read(sequence, this::record);
        }
        RowRecord record = found.orElseThrow(() -> RowRecord.deleted(sequence));
        begun.put(sequence, record);
        return record;
    }

    /**
     * Reads the record of a sequence; empty before its first use ever.
     *
     * @throws io.distributedid.IdConfigurationException if the sequence is numbered in another way
     */
    Optional<RowRecord> record(String sequence) throws SQLException {
        OptionalLong number = dialect.read(connection, row(sequence, RowKey.RECORD));
        if (number.isEmpty()) {
            return Optional.empty();
        }
        RowRecord record = RowRecord.parse(number.getAsLong(), sequence, table.where());
        record.requireRows(sequence, table.where());
        return Optional.of(record);
    }

    /**
     * Takes numbers of a key, and returns the last of them. If the record has changed, a key without a row gets none,
     * and on PostgreSQL and H2 no key does.
     *
     * @param known gets the record of the sequence, and is asked before one is written
     * @throws io.distributedid.IdConfigurationException if the sequence is numbered in another way, or has another
     *     record than the known one
     */
    long take(RowCall.Spot spot, long count, KnownRecords known) throws SQLException {
        RowRecord record = begun(spot.sequence(), known);
        long last = dialect.take(connection, update, row(spot.sequence(), spot.key()), count, record.number());
        known.note(spot.sequence(), record);
        return last;
    }

    /** The last number of a key, or its bound; 0 if it has none. */
    long last(RowCall.Spot spot) throws SQLException {
        RowKey row = row(spot.sequence(), spot.key());
        long last = dialect.read(connection, row).orElse(0);
        return spot.want() == RowCall.Want.BOUND
                ? Math.max(last, dialect.read(connection, row.floor()).orElse(0))
                : last;
    }

    @Override
    public void restore() throws SQLException {
        update.close();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
    }
}
