package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.keyed.row.RowQueue.Spot;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
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

    private final Platform platform;

    private final RowQueue queue;

    private final KnownRecords records;

    private final List<RowLane> lanes;

    /** Rows in a database. Does not connect yet. */
    public static KeyedRows in(ConnectionAccess database, Options options, KnownRecords.Memory memory) {
        RowTable table = new RowTable(options.table, options.createTable, database.label());
        KnownRecords records = new KnownRecords(table.where(), memory);
        return new KeyedRows(
                new JdbcLink.Source<>(
                        database, connection -> new RowSession(kept(connection, table), records, Platform.JVM)),
                options,
                records,
                Platform.JVM);
    }

    /** @param records those of the sessions */
    public KeyedRows(Link.Source<RowSession> source, Options options, KnownRecords records, Platform platform) {
        this.platform = platform;
        this.records = records;
        queue = new RowQueue(platform);
        lanes = Stream.generate(() -> new DedicatedConnection<>(source, options.answerTimeout, platform))
                .limit(options.connections)
                .map(connection -> new RowLane(connection, queue, platform))
                .toList();
    }

    private static RowStore kept(Connection connection, RowTable table) throws SQLException {
        RowSql rows = RowSql.on(connection, table.name());
        rows.keep();
        table.require(connection, table.expected(DatabaseProduct.of(connection)));
        return rows;
    }

    /** The table, for schema exports. */
    public static SchemaObject schemaObject(DatabaseProduct product, String table) {
        return new SchemaObject.Table(table, name -> RowTable.ddl(product, name));
    }

    /**
     * The number that all new keys begin above, in a database of the sequence; not if they are taken in transactions.
     */
    public static long floor(Connection connection, String table, String sequence) throws SQLException {
        return RowSql.on(connection, table).read(RowKey.floor(sequence)).orElse(0);
    }

    @Override
    public Pending<Long> ask(String sequence, String key, int count, long began, Duration timeout) {
        Pending<Long> call = queue.add(new Spot(new RowKey(sequence, key), count == 0), count, began, timeout);
        lanes.forEach(RowLane::keepRunning);
        return call;
    }

    /** The floor is one for keys that are counted there, and for keys without a row. Deletions raise it first. */
    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        long last = read(sequence, key, began, timeout);
        return Math.max(last, read(sequence, RowKey.FLOOR, began, timeout));
    }

    private long read(String sequence, String key, long began, Duration timeout) {
        return ask(sequence, key, 0, began, timeout)
                .await(platform, timeout.toNanos() - (platform.nanoTime() - began), "a number: seq=" + sequence);
    }

    @Override
    public void learn(KeyedSource former) {
        records.learn(((KeyedRows) former).records);
    }

    /** Refuses calls from now on, and ends all waits but those for current statements. */
    @Override
    public void stop() {
        lanes.forEach(RowLane::stop);
        queue.end(false);
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
        queue.end(true);
    }

    @Override
    public void close() {
        stop();
        lanes.forEach(RowLane::close);
        queue.end(true);
    }
}
