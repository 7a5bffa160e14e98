package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.LastId;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.counter.Return;
import io.distributedid.internal.counter.TableSession;
import io.distributedid.internal.jdbc.ServerIdentity;
import io.distributedid.internal.jdbc.SkipLocked;
import io.distributedid.internal.jdbc.TableCheck;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A connection to the database of a sequence table, with the tables checked on it. For one thread at a time. */
final class SequenceTableSession implements TableSession<SequenceRow> {

    private final Connection connection;

    private final String label;

    private final DatabaseProduct product;

    private final SequenceTableDialect dialect;

    /** Empty if the server can't skip locked rows, or calls in the process cost nothing. */
    private final Optional<SkipLocked> skipLocked;

    private final Map<String, LockedRows> lockedRows = new HashMap<>();

    private final Numbering numbering;

    private final boolean createTable;

    private final TablePins pins;

    /** The connection's former isolation level. Only PostgreSQL's is changed. */
    private final int isolation;

    /** By the table's configured name, without the schema that {@link TablePins} adds. */
    private final Map<String, SequenceTableCounter.Place> places = new HashMap<>();

    private final Map<SequenceRow, SequenceTableCounter> counters = new HashMap<>();

    SequenceTableSession(Connection connection, String label, Numbering numbering, boolean createTable, TablePins pins)
            throws SQLException {
        this.connection = connection;
        this.label = label;
        this.product = DatabaseProduct.of(connection);
        this.dialect = SequenceTableDialect.of(product);
        this.skipLocked = SkipLocked.of(connection, product);
        this.numbering = numbering;
        this.createTable = createTable;
        this.pins = pins;
        this.isolation = product == DatabaseProduct.POSTGRESQL
                ? connection.getTransactionIsolation()
                : Connection.TRANSACTION_READ_COMMITTED;
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public RecordTable record(SequenceRow row) throws SQLException {
        return open(row).record();
    }

    @Override
    public Numbering numbering() {
        return numbering;
    }

    @Override
    public boolean needsRecord() {
        return numbering.increment() > 1;
    }

    @Override
    public SequenceTableCounter open(SequenceRow row) throws SQLException {
        return open(row, createTable);
    }

    @Override
    public SequenceTableCounter openToRead(SequenceRow row) throws SQLException {
        return open(row, false);
    }

    private SequenceTableCounter open(SequenceRow row, boolean create) throws SQLException {
        SequenceTableCounter known = counters.get(row);
        if (known == null) {
            SequenceTableCounter.Place place = places.get(row.table());
            if (place == null) {
                place = openTable(row.table(), create);
                places.put(row.table(), place);
            }
            known = new SequenceTableCounter(place, row);
            counters.put(row, known);
        }
        return known;
    }

    /**
     * All are left out if a table of that name in another schema may hold them, see {@link SearchPath}: then each is
     * read alone.
     */
    @Override
    public Map<SequenceRow, LastId> lastTogether(List<SequenceRow> rows) throws SQLException {
        SequenceTableCounter.Place place = open(rows.get(0)).place();
        Map<SequenceRow, LastId> last = new LinkedHashMap<>();
        if (TablePins.isSearched(product, rows.get(0).table())
                && SearchPath.hasOtherRecord(connection, place.record())) {
            return last;
        }
        Map<String, OptionalLong> byName = new SequenceTableRows(connection, place)
                .last(rows.stream().map(SequenceRow::name).toList());
        for (SequenceRow row : rows) {
            OptionalLong found = byName.get(row.name());
            if (found != null) {
                open(row).found(found.isPresent());
                last.put(row, new LastId(found, 0));
            }
        }
        return last;
    }

    @Override
    public void createTogether(Map<SequenceRow, Long> above) throws SQLException {
        SequenceTableCounter.Place place =
                open(above.keySet().iterator().next()).place();
        Map<String, Long> ids = new LinkedHashMap<>();
        for (Map.Entry<SequenceRow, Long> each : above.entrySet()) {
            ids.put(each.getKey().name(), numbering.before(each.getValue() + 1));
        }
        new SequenceTableRows(connection, place).insert(ids);
    }

    @Override
    public boolean changesTogether(SequenceRow row) {
        return true;
    }

    @Override
    public void raiseTogether(Map<SequenceRow, Long> above) throws SQLException {
        SequenceTableCounter.Place place =
                open(above.keySet().iterator().next()).place();
        Map<String, Long> ids = new LinkedHashMap<>();
        for (Map.Entry<SequenceRow, Long> each : above.entrySet()) {
            ids.put(each.getKey().name(), numbering.before(each.getValue() + 1));
        }
        new SequenceTableRows(connection, place).raise(ids);
    }

    private SequenceTableCounter.Place openTable(String configured, boolean create) throws SQLException {
        String table = pins.name(connection, product, configured);
        TableCheck.require(
                connection,
                create,
                new TableCheck.Expected(
                        "The sequence table",
                        table,
                        label,
                        dialect.ddl(table),
                        "SELECT, INSERT, UPDATE",
                        "; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client:"
                                + " distributedid.create_tables=true. If a migration creates it after the start, set"
                                + " distributedid.open=lazy"),
                "SELECT name, id FROM " + table + " WHERE 1 = 0");
        String pinned = pins.pin(connection, product, configured);
        boolean isCaseless =
                SequenceTableLook.require(connection, pinned, label).namesIgnoreCase();
        return new SequenceTableCounter.Place(
                connection,
                label,
                product,
                numbering,
                pinned,
                isCaseless,
                RecordTable.beside(connection, product, pinned, label),
                ServerIdentity.of(connection, product, pinned));
    }

    /** In one transaction for each table, see {@link SequenceTableBatch}, where the server can skip locked rows. */
    @Override
    public void reserve(
            Map<SequenceRow, Draw> draws, BiConsumer<SequenceRow, Block> drawn, Consumer<SequenceRow> locked)
            throws SQLException {
        if (skipLocked.isEmpty()) {
            TableSession.super.reserve(draws, drawn, locked);
            return;
        }
        for (Map<SequenceTableCounter, Draw> each : byTable(draws)) {
            new SequenceTableBatch(rows(each), each)
                    .run(
                            (counter, block) -> drawn.accept(counter.row(), block),
                            counter -> locked.accept(counter.row()));
        }
    }

    @Override
    public boolean takesIdsBack() {
        return true;
    }

    /** In one transaction for each table, see {@link SequenceTableReturn}. */
    @Override
    public void giveBack(Map<SequenceRow, Return> returns, Consumer<SequenceRow> returned) throws SQLException {
        if (skipLocked.isEmpty()) {
            TableSession.super.giveBack(returns, returned);
            return;
        }
        for (Map<SequenceTableCounter, Return> each : byTable(returns)) {
            new SequenceTableReturn(rows(each), each).run(counter -> returned.accept(counter.row()));
        }
    }

    private LockedRows rows(Map<SequenceTableCounter, ?> counters) throws SQLException {
        String table = counters.keySet().iterator().next().table();
        LockedRows known = lockedRows.get(table);
        if (known == null) {
            known = new LockedRows(connection, skipLocked.orElseThrow(), table);
            lockedRows.put(table, known);
        }
        return known;
    }

    private <T> Collection<Map<SequenceTableCounter, T>> byTable(Map<SequenceRow, T> all) throws SQLException {
        Map<String, Map<SequenceTableCounter, T>> byTable = new LinkedHashMap<>();
        for (Map.Entry<SequenceRow, T> each : all.entrySet()) {
            byTable.computeIfAbsent(each.getKey().table(), table -> new LinkedHashMap<>())
                    .put(open(each.getKey()), each.getValue());
        }
        return byTable.values();
    }

    @Override
    public void restore() throws SQLException {
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(isolation);
        }
    }
}
