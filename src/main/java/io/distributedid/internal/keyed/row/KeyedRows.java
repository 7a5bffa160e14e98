package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.keyed.row.RowCall.Spot;
import io.distributedid.internal.keyed.row.RowCall.Want;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.process.Pending;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A row for each key, in one database. Each of its connections serves any key. Thread-safe. */
public final class KeyedRows implements KeyedSource {

    /**
     * What connections depend on.
     *
     * @param table in SQL
     * @param createTable whether to create a missing table
     * @param connections how many
     * @param answerTimeout for connecting and for each answer
     */
    public record Options(String table, boolean createTable, int connections, Duration answerTimeout) {}

    /** The key of the row whose number all new keys begin above. */
    public static final String FLOOR = RowKey.FLOOR;

    private final RowQueue queue = new RowQueue();

    private final KnownRecords records;

    private final List<RowLane> lanes;

    /** Does not connect yet. */
    public KeyedRows(ConnectionAccess database, Options options) {
        RowTable table = new RowTable(options.table, options.createTable, database.label());
        records = new KnownRecords(table.where());
        lanes = Stream.generate(() -> new DedicatedConnection<>(
                        database, options.answerTimeout, connection -> new RowSession(connection, table)))
                .limit(options.connections)
                .map(connection -> new RowLane(connection, records, queue))
                .toList();
    }

    /** The table, for schema exports. */
    public static SchemaObject schemaObject(DatabaseProduct product, String table) {
        return new SchemaObject.Table(table, RowDialect.of(product)::ddl);
    }

    /**
     * The number that all new keys begin above, in a database of the sequence; not if they are taken in transactions.
     */
    public static long floor(Connection connection, String table, String sequence) throws SQLException {
        return RowDialect.of(DatabaseProduct.of(connection))
                .read(connection, new RowKey(table, sequence, RowKey.FLOOR))
                .orElse(0);
    }

    @Override
    public Pending<Long> ask(String sequence, String key, int count, long began, Duration timeout) {
        Spot spot = new Spot(sequence, key, count == 0 ? Want.LAST : Want.NUMBERS);
        return added(new RowCall(queue, spot, count, began, timeout)).pending();
    }

    /** The floor is one for keys that are counted there, and for keys without a row. */
    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        return added(new RowCall(queue, new Spot(sequence, key, Want.BOUND), 0, began, timeout))
                .await();
    }

    private RowCall added(RowCall call) {
        queue.add(call);
        lanes.forEach(RowLane::keepRunning);
        return call;
    }

    @Override
    public void learn(KeyedSource former) {
        records.learn(((KeyedRows) former).records);
    }

    /** Refuses calls from now on, and ends all waits but those for current statements. */
    @Override
    public void stop() {
        lanes.forEach(RowLane::stop);
        queue.end();
    }

    /** Aborts the connections of current statements. */
    @Override
    public void cut() {
        lanes.forEach(RowLane::cut);
    }

    /** Aborts all connections, and gives nothing back. */
    @Override
    public void abandon() {
        stop();
        lanes.forEach(RowLane::abandon);
        queue.drop();
    }

    @Override
    public void close() {
        stop();
        lanes.forEach(RowLane::close);
        queue.drop();
    }
}
