package io.distributedid.internal.keyed.row;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A connection to one server, in autocommit mode, with the table checked on it. The first use of a sequence reads its
 * {@link RowRecord}. For one thread at a time.
 */
final class RowSession implements DedicatedConnection.Session {

    /**
     * A server among all.
     *
     * @param place from 1
     */
    record Place(RowTable table, int servers, int place) {}

    private final Connection connection;

    private final Place place;

    /** When the connection began to be opened. */
    private final long opened;

    private final RowDialect dialect;

    /** The connection's former isolation level. Only PostgreSQL's is changed. */
    private final int isolation;

    /** Kept, since a driver may parse each new statement. */
    private final PreparedStatement update;

    /** By sequence, the records that allow numbers. */
    private final Map<String, RowRecord> agreed = new HashMap<>();

    /** By sequence, the final records that were read last. */
    private final Map<String, RowRecord> told = new HashMap<>();

    /** @param opened when the connection began to be opened, by the clock of {@link RowComparison} */
    RowSession(Connection connection, Place place, long opened) throws SQLException {
        this.connection = connection;
        this.place = place;
        this.opened = opened;
        DatabaseProduct product = DatabaseProduct.of(connection);
        this.dialect = RowDialect.of(product);
        this.isolation = product == DatabaseProduct.POSTGRESQL
                ? connection.getTransactionIsolation()
                : Connection.TRANSACTION_READ_COMMITTED;
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        place.table.require(connection, product, dialect);
        update = dialect.prepareTake(connection, place.table.name());
    }

    private RowKey row(String sequence, String key) {
        return new RowKey(place.table.name(), sequence, key);
    }

    /** From 0. */
    int server() {
        return place.place - 1;
    }

    long opened() {
        return opened;
    }

    /** The final record of a sequence that this connection has read last, for numbers or not; does not read it. */
    Optional<RowRecord> lastTold(String sequence) {
        return Optional.ofNullable(told.get(sequence));
    }

    /** The record of a sequence if it allows numbers. Throws if it is that of other settings. */
    Optional<RowRecord> agreed(String sequence) throws SQLException {
        RowRecord known = agreed.get(sequence);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<RowRecord> found = record(sequence).filter(RowRecord::isFinal);
        found.ifPresent(record -> agreed.put(sequence, record));
        return found;
    }

    /**
     * The record of a sequence, of these settings; empty if it is missing.
     *
     * @throws RefusedServerException if it is that of other settings
     */
    Optional<RowRecord> record(String sequence) throws SQLException {
        OptionalLong number = dialect.read(connection, row(sequence, RowKey.RECORD));
        told.remove(sequence);
        if (number.isEmpty()) {
            return Optional.empty();
        }
        String where = place.table.where();
        try {
            RowRecord record = RowRecord.parse(number.getAsLong(), sequence, where);
            record.requireRows(place.servers, place.place, sequence, where);
            if (record.isFinal()) {
                told.put(sequence, record);
            }
            return Optional.of(record);
        } catch (IdConfigurationException e) {
            throw new RefusedServerException(e, server());
        }
    }

    /** Writes a record unless there is one. */
    void prepare(String sequence, RowRecord record) throws SQLException {
        dialect.insert(connection, row(sequence, RowKey.RECORD), record.number());
    }

    /** Changes a record unless another process has changed it. */
    void replace(String sequence, RowRecord from, RowRecord to) throws SQLException {
        dialect.replace(connection, row(sequence, RowKey.RECORD), from.number(), to.number());
    }

    /**
     * Takes numbers of a key, and returns the last of them. If the record has changed, a key without a row gets none,
     * and on PostgreSQL and H2 no key does.
     */
    long take(String sequence, String key, long count, RowRecord record) throws SQLException {
        return dialect.take(connection, update, row(sequence, key), count, record.number());
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
