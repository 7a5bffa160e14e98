package io.distributedid.backend.sequencetable;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.counter.ClaimLock;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.NumberingRecord;
import io.distributedid.internal.counter.RecordRows;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.Transactions;
import io.distributedid.internal.counter.Witness;
import io.distributedid.internal.jdbc.ServerIdentity;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One server of a {@link SequenceTableMove}. Each change is a transaction: it locks the claim, compares it with the one
 * that the move knows, see {@link ClaimLock}, and writes a new claim. For one thread at a time.
 */
final class MoveServer implements AutoCloseable {

    /** The numbering of a fenced server that was not in use. */
    static final Numbering UNUSED = new Numbering(0, 0);

    private final MoveConnection opened;

    private final Connection connection;

    private final DatabaseProduct product;

    private final SequenceTableDialect dialect;

    private final String address;

    private final String table;

    private final RecordTable record;

    private boolean hasTable;

    private Optional<NumberingRecord> claim;

    private Optional<Numbering> old = Optional.empty();

    private Optional<Numbering> next = Optional.empty();

    MoveServer(MoveConnection opened, String address, String table) throws SQLException {
        this.opened = opened;
        this.connection = opened.connection();
        this.product = opened.product();
        this.dialect = SequenceTableDialect.of(product);
        this.address = address;
        this.table = qualified(new TablePins().pin(connection, product, table));
        this.hasTable = findTable();
        this.record = RecordTable.beside(connection, product, this.table, label());
        if (record.isDenied()) {
            throw needsRecord();
        }
        this.claim = record.read("").claim();
    }

    /** PostgreSQL creates a new table, and its record, in the first schema of the search path. */
    private String qualified(String name) throws SQLException {
        if (product != DatabaseProduct.POSTGRESQL || name.indexOf('.') >= 0) {
            return name;
        }
        try (Statement statement = connection.createStatement();
                ResultSet schema = statement.executeQuery("SELECT quote_ident(current_schema())")) {
            schema.next();
            return schema.getString(1) == null ? name : schema.getString(1) + "." + name;
        }
    }

    private boolean findTable() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement
                    .executeQuery("SELECT name, id FROM " + table + " WHERE 1 = 0")
                    .close();
        } catch (SQLException e) {
            if (SqlErrors.tableIsMissing(e)) {
                return false;
            }
            throw e;
        }
        SequenceTableLook.require(connection, table, label());
        return true;
    }

    String label() {
        return opened.label();
    }

    String address() {
        return address;
    }

    String table() {
        return table;
    }

    boolean hasTable() {
        return hasTable;
    }

    Connection connection() {
        return connection;
    }

    DatabaseProduct product() {
        return product;
    }

    /** The numbering in the old list; empty if the server is not in that list. */
    Optional<Numbering> old() {
        return old;
    }

    /** The numbering in the new list; empty if the server is not in that list. */
    Optional<Numbering> next() {
        return next;
    }

    void setOld(Numbering numbering) {
        requireOnce(old, numbering);
        old = Optional.of(numbering);
    }

    void setNext(Numbering numbering) {
        requireOnce(next, numbering);
        next = Optional.of(numbering);
    }

    private void requireOnce(Optional<Numbering> before, Numbering numbering) {
        if (before.isPresent()) {
            throw new IdConfigurationException("A list must have each database once: " + label() + " table=" + table
                    + " is at places " + before.get().offset() + " and " + numbering.offset());
        }
    }

    /** The claim as the move has last read or written it. */
    Optional<NumberingRecord> claim() {
        return claim;
    }

    boolean isOpen() {
        return claim.filter(found -> found.state() == NumberingRecord.State.OPEN)
                .isPresent();
    }

    void requireTable() {
        if (!hasTable) {
            throw new IdConfigurationException("A server that is in use must have the table: " + label() + " table="
                    + table + " is missing. List the servers as the applications had them");
        }
    }

    /** The last id of each sequence; empty if there is no table. */
    Map<String, Long> last() throws SQLException {
        Map<String, Long> last = new TreeMap<>();
        if (!hasTable) {
            return last;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT name, id FROM " + table)) {
            while (row.next()) {
                last.put(row.getString(1), UnsignedColumn.read(row, 2));
            }
        }
        return last;
    }

    /** Tells a replica from its source; empty if the server does not tell. */
    String identity() throws SQLException {
        return ServerIdentity.of(connection, product, table);
    }

    /** The rows of the record by the sequence's name. */
    Map<String, RecordRows> recorded() throws SQLException {
        return record.readAll();
    }

    void createTables() throws SQLException {
        if (!hasTable) {
            TableCheck.require(
                    connection,
                    true,
                    new TableCheck.Expected(
                            "The sequence table", table, label(), dialect.ddl(table), "SELECT, INSERT, UPDATE", ""),
                    "SELECT name, id FROM " + table + " WHERE 1 = 0");
            hasTable = findTable();
        }
        if (!record.create()) {
            throw needsRecord();
        }
    }

    private IdConfigurationException needsRecord() {
        return new IdConfigurationException("A move needs the record beside the counters: " + label() + " table="
                + RecordTable.nameBeside(table) + ". Create it: " + RecordTable.ddl(product, table)
                + "; and GRANT SELECT, INSERT, UPDATE on it");
    }

    /** Stops all clients from drawing ids here. */
    void fence(String token, long generation, Numbering kept) throws SQLException {
        change(new NumberingRecord(generation, kept, NumberingRecord.State.MOVING, token), record::fence);
    }

    /** Writes the counters. Clients can't draw ids yet. */
    void fill(Map<String, Long> largest, Set<String> retired, long generation, long claimGeneration)
            throws SQLException {
        Numbering numbering = next.orElseThrow();
        String identity = identity();
        change(changed(claimGeneration, numbering, NumberingRecord.State.READY), () -> {
            for (Map.Entry<String, Long> sequence : largest.entrySet()) {
                long id = numbering.atLeast(sequence.getValue());
                String name = raise(sequence.getKey(), id);
                String key = record.key(name);
                record.putCounter(
                        key, new CounterRecord(generation, id, identity, retired.contains(sequence.getKey())));
                for (long offset = 1; offset <= numbering.increment(); offset++) {
                    long there = new Numbering(numbering.increment(), offset).atLeast(sequence.getValue());
                    record.putWitness(key, offset, new Witness(generation, there));
                }
            }
        });
    }

    /** Returns the name as the row has it. */
    private String raise(String name, long id) throws SQLException {
        dialect.insert(connection, table, name, id);
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE " + table + " SET id = ? WHERE name = ? AND id < ?")) {
            update.setLong(1, id);
            update.setString(2, name);
            update.setLong(3, id);
            update.executeUpdate();
        }
        try (PreparedStatement select =
                connection.prepareStatement("SELECT name, id FROM " + table + " WHERE name = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next() || UnsignedColumn.read(row, 2) != id) {
                    throw new SQLException("A row on a new server must keep the id that the move has written: "
                            + label() + " table=" + table + " seq=" + name + " id=" + id
                            + ". Does a client write there with its own SQL? Stop it and repeat the move");
                }
                return row.getString(1);
            }
        }
    }

    /** Marks the counters as moved to other servers. */
    void retire(long generation) throws SQLException {
        change(changed(generation, claim.orElseThrow().numbering(), NumberingRecord.State.RETIRED), () -> {});
    }

    /** Allows clients to draw ids. */
    void open(long generation) throws SQLException {
        change(changed(generation, next.orElseThrow(), NumberingRecord.State.OPEN), () -> {});
    }

    private NumberingRecord changed(long generation, Numbering numbering, NumberingRecord.State state) {
        return new NumberingRecord(
                generation, numbering, state, claim.orElseThrow().token());
    }

    @FunctionalInterface
    private interface Work {

        void run() throws SQLException;
    }

    private void change(NumberingRecord changed, Work work) throws SQLException {
        claim = Optional.of(Transactions.run(connection, () -> {
            ClaimLock.require(record, claim, "a move", label() + " table=" + table);
            record.putClaim(changed);
            work.run();
            return changed;
        }));
    }

    @Override
    public void close() throws SQLException {
        opened.close();
    }
}
