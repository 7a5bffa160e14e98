package io.distributedid.backend.sequencetable;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.ServerIdentity;
import io.distributedid.internal.jdbc.SkipLocked;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.SqlTrips;
import io.distributedid.internal.jdbc.SqlTrips.Sql;
import io.distributedid.internal.jdbc.UnsignedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * MySQL and MariaDB: draws from several counters, in two trips where the connection has multi-queries, see
 * {@link SqlTrips}:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT name, version, state = 'OPEN', number FROM distributedid FORCE INDEX (PRIMARY)
 *     WHERE name IN ('sequence/photos', ...) AND @@server_uuid = '...' FOR UPDATE;
 * SELECT name, id FROM sequence FORCE INDEX (PRIMARY) WHERE name IN ('photos', ...) FOR UPDATE SKIP LOCKED;
 *
 * INSERT INTO distributedid (name, version, number, state, text) VALUES ('sequence/photos', '17-a01f', 180, ...), ...
 *     ON DUPLICATE KEY UPDATE number = IF((name, version, number) IN (('sequence/photos', '17-a01f', 80), ...),
 *     VALUES(number), number);
 * INSERT INTO sequence (name, id) VALUES ('photos', 180), ...
 *     ON DUPLICATE KEY UPDATE id = IF((name, id) IN (('photos', 80), ...), VALUES(id), id);
 * INSERT INTO distributedid ... VALUES ('sequence/photos@2', '17-a01f', 1042, ...), ...
 *     ON DUPLICATE KEY UPDATE number = GREATEST(number, VALUES(number));
 * COMMIT;
 * </pre>
 *
 * FORCE INDEX keeps a small table from being scanned, and all its rows from being locked. The INSERTs find each row by
 * its key, which an UPDATE might not. Their conditions hold as long as the rows stay locked. If they don't, a table has
 * become MyISAM meanwhile: the draw fails, and the next connection refuses the table.
 *
 * <p><b>Locked rows.</b> A row of the ledger is waited for as long as {@link io.distributedid.internal.jdbc.LockWait}
 * says. If one does not get free, the list goes again without those that are locked then. A counter is skipped if the
 * server can do that. A wait that ended leaves the transaction open: hence the ROLLBACK. For one thread at a time.
 */
final class MySqlBatch {

    private static final String LEDGER_ROW = " (name, version, number, state, text)";

    private final CounterTable table;

    private final SqlTrips trips;

    private final Optional<SkipLocked> skip;

    /** The tables in queries that find rows by name. */
    private final String rows;

    private final String counters;

    MySqlBatch(CounterTable table) throws SQLException {
        this.table = table;
        this.trips = SqlTrips.on(table.connection());
        this.skip = SkipLocked.of(table.connection(), table.product());
        this.rows = table.rows() + " FORCE INDEX (PRIMARY)";
        this.counters = table.name() + " FORCE INDEX (`" + keyOfNames() + "`)";
    }

    private String keyOfNames() throws SQLException {
        try (Statement statement = table.connection().createStatement();
                ResultSet index = statement.executeQuery("SHOW INDEX FROM " + table.name()
                        + " WHERE Non_unique = 0 AND Seq_in_index = 1 AND Column_name = 'name'")) {
            index.next();
            return index.getString("Key_name");
        }
    }

    boolean skipsLocked() {
        return skip.isPresent();
    }

    /** A deadlock is thrown, and has changed nothing. */
    Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        try {
            return inTransaction(draws);
        } catch (SQLException | RuntimeException e) {
            rollBack(e);
            if (!(e instanceof SQLException sql) || !SqlErrors.isLockWaitTimeout(sql)) {
                throw e;
            }
        }
        Set<String> free = free(draws);
        List<Draw> rest =
                draws.stream().filter(each -> free.contains(inLedger(each))).toList();
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        draws.forEach(each -> drawn.put(each.counter(), Drawn.LOCKED));
        if (!rest.isEmpty() && rest.size() < draws.size()) {
            drawn.putAll(draw(rest));
        }
        return drawn;
    }

    private void rollBack(Exception reason) {
        try {
            List<Integer> unused = trips.run(List.of(Sql.of("ROLLBACK")));
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private String inLedger(Draw draw) {
        return table.inLedger(draw.counter()).ledgerRow();
    }

    private Sql lock(String columns, List<Draw> draws, String end) {
        List<String> names = draws.stream().map(this::inLedger).toList();
        return new Sql("SELECT " + columns + " FROM " + rows + " WHERE name " + InList.of(names.size()) + end, names);
    }

    /** The rows of the ledger that nobody has locked. */
    private Set<String> free(List<Draw> draws) throws SQLException {
        Set<String> free = new HashSet<>();
        if (skip.isPresent()) {
            List<Integer> unused =
                    trips.run(List.of(lock("name", draws, skip.get().update())), (statement, row) -> {
                        while (row.next()) {
                            free.add(row.getString(1));
                        }
                    });
        }
        return free;
    }

    /** What is locked. */
    private record Found(Map<String, Row> rows, Map<String, Long> counters) {}

    private record Row(String version, boolean isOpen, long number) {

        boolean isOpenUnder(Draw draw) {
            return isOpen && version.equals(draw.version().toString());
        }
    }

    private Map<CounterKey, Drawn> inTransaction(List<Draw> draws) throws SQLException {
        Found found = lock(draws);
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        List<Draw> given = new ArrayList<>();
        List<Draw> skipped = new ArrayList<>();
        for (Draw each : draws) {
            Row row = found.rows.get(inLedger(each));
            Long counter = found.counters.get(each.counter().row());
            Drawn answer = Drawn.REFUSED;
            if (row != null && counter != null) {
                answer = table.judge(each, row.isOpenUnder(each), row.number, counter);
            } else if (row != null && row.isOpenUnder(each)) {
                skipped.add(each);
            }
            drawn.put(each.counter(), answer);
            if (answer.block() != null) {
                given.add(each);
            }
        }
        write(given, drawn, found);
        if (!skipped.isEmpty()) {
            List<String> names =
                    skipped.stream().map(each -> each.counter().row()).toList();
            Set<String> there = table.ids(names, "").keySet();
            skipped.removeIf(each -> !there.contains(each.counter().row()));
            skipped.forEach(each -> drawn.put(each.counter(), Drawn.LOCKED));
        }
        return drawn;
    }

    private Found lock(List<Draw> draws) throws SQLException {
        Found found = new Found(new HashMap<>(), new HashMap<>());
        List<String> names = draws.stream().map(each -> each.counter().row()).toList();
        String isSameServer = " AND " + ServerIdentity.condition(table.identity());
        Sql lockCounters = new Sql(
                "SELECT name, id FROM " + counters + " WHERE name " + InList.of(names.size())
                        + skip.map(SkipLocked::update).orElse(" FOR UPDATE"),
                names);
        List<Integer> unused = trips.run(
                List.of(
                        Sql.of("START TRANSACTION"),
                        lock("name, version, state = 'OPEN', number", draws, isSameServer + " FOR UPDATE"),
                        lockCounters),
                (statement, row) -> {
                    while (row.next()) {
                        if (statement == 1) {
                            found.rows.put(
                                    row.getString(1), new Row(row.getString(2), row.getBoolean(3), row.getLong(4)));
                        } else {
                            found.counters.put(
                                    table.requireAsked(row.getString(1), names), UnsignedColumn.atMost(row, 2));
                        }
                    }
                });
        return found;
    }

    private void write(List<Draw> given, Map<CounterKey, Drawn> drawn, Found found) throws SQLException {
        if (given.isEmpty()) {
            List<Integer> unused = trips.run(List.of(Sql.of("ROLLBACK")));
            return;
        }
        List<Object> toRows = new ArrayList<>();
        List<Object> fromRows = new ArrayList<>();
        List<Object> toCounters = new ArrayList<>();
        List<Object> fromCounters = new ArrayList<>();
        List<Object> notes = new ArrayList<>();
        for (Draw each : given) {
            CounterKey key = table.inLedger(each.counter());
            long last = requireNonNull(requireNonNull(drawn.get(each.counter())).block())
                    .last();
            Row row = requireNonNull(found.rows.get(key.ledgerRow()));
            Collections.addAll(toRows, key.ledgerRow(), row.version, last);
            Collections.addAll(fromRows, key.ledgerRow(), row.version, row.number);
            Collections.addAll(toCounters, key.row(), last);
            Collections.addAll(fromCounters, key.row(), requireNonNull(found.counters.get(key.row())));
            each.notes().forEach((offset, number) -> Collections.addAll(notes, key.note(offset), row.version, number));
        }
        List<Sql> writes = new ArrayList<>();
        // No row is missing. If one were, nothing would be drawn from what is created here.
        writes.add(sql(
                "INSERT INTO " + table.rows() + LEDGER_ROW + " VALUES ",
                tuples("(?, ?, ?, 'LOST', '-')", toRows, 3),
                " ON DUPLICATE KEY UPDATE number = IF((name, version, number) IN (",
                tuples("(?, ?, ?)", fromRows, 3),
                "), VALUES(number), number)"));
        writes.add(sql(
                "INSERT INTO " + table.name() + " (name, id) VALUES ",
                tuples("(?, ?)", toCounters, 2),
                " ON DUPLICATE KEY UPDATE id = IF((name, id) IN (",
                tuples("(?, ?)", fromCounters, 2),
                "), VALUES(id), id)"));
        if (!notes.isEmpty()) {
            writes.add(sql(
                    "INSERT INTO " + table.rows() + LEDGER_ROW + " VALUES ",
                    tuples("(?, ?, ?, 'NONE', '-')", notes, 3),
                    " ON DUPLICATE KEY UPDATE number = GREATEST(number, VALUES(number))"));
        }
        writes.add(Sql.of("COMMIT"));
        List<Integer> changed = trips.run(writes);
        // A row that is changed counts twice.
        if (changed.get(0) != 2 * given.size() || changed.get(1) != 2 * given.size()) {
            throw new SQLException("A row was changed while it was locked: table=" + table.name() + " counters="
                    + given.size() + " changed=" + changed + ". Do the engines of the table and of " + table.rows()
                    + " keep row locks?");
        }
    }

    private static Sql tuples(String tuple, Collection<?> values, int size) {
        return new Sql(String.join(", ", Collections.nCopies(values.size() / size, tuple)), List.copyOf(values));
    }

    /** Joins parts, each a text or an {@link Sql}. */
    private static Sql sql(Object... parts) {
        StringBuilder text = new StringBuilder();
        List<Object> values = new ArrayList<>();
        for (Object each : parts) {
            if (each instanceof Sql sql) {
                text.append(sql.text());
                values.addAll(sql.values());
            } else {
                text.append(each);
            }
        }
        return new Sql(text.toString(), values);
    }
}
