package io.distributedid.backend.sequencetable;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.MySqlTrips;
import io.distributedid.internal.jdbc.ServerIdentity;
import io.distributedid.internal.jdbc.SkipLocked;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.UnsignedColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * MySQL and MariaDB: draws from several counters, in two trips where the connection has multi-queries, see
 * {@link MySqlTrips}:
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

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/@.-]+");

    private final CounterTable table;

    private final MySqlTrips trips;

    private final Optional<SkipLocked> skip;

    /** The tables in queries that find rows by name. */
    private final String rows;

    private final String counters;

    MySqlBatch(CounterTable table) throws SQLException {
        this.table = table;
        this.trips = MySqlTrips.on(table.connection());
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
            trips.run(List.of("ROLLBACK"));
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private String inLedger(Draw draw) {
        return table.inLedger(draw.counter()).ledgerRow();
    }

    private String lock(String columns, List<Draw> draws, String end) {
        List<String> names = draws.stream().map(this::inLedger).toList();
        return "SELECT " + columns + " FROM " + rows + " WHERE name IN (" + quoted(names) + ")" + end;
    }

    /** The rows of the ledger that nobody has locked. */
    private Set<String> free(List<Draw> draws) throws SQLException {
        Set<String> free = new HashSet<>();
        if (skip.isPresent()) {
            trips.run(List.of(lock("name", draws, skip.get().update())), (query, row) -> {
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
        trips.run(
                List.of(
                        "START TRANSACTION",
                        lock("name, version, state = 'OPEN', number", draws, isSameServer + " FOR UPDATE"),
                        "SELECT name, id FROM " + counters + " WHERE name IN (" + quoted(names) + ")"
                                + skip.map(SkipLocked::update).orElse(" FOR UPDATE")),
                (query, row) -> {
                    while (row.next()) {
                        if (query == 0) {
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
            trips.run(List.of("ROLLBACK"));
            return;
        }
        List<String> toRows = new ArrayList<>();
        List<String> fromRows = new ArrayList<>();
        List<String> toCounters = new ArrayList<>();
        List<String> fromCounters = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Draw each : given) {
            CounterKey key = table.inLedger(each.counter());
            Row row = requireNonNull(found.rows.get(key.ledgerRow()));
            String inLedger = "(" + quoted(List.of(key.ledgerRow(), row.version)) + ", ";
            String name = "(" + quoted(List.of(key.row())) + ", ";
            long last = requireNonNull(requireNonNull(drawn.get(each.counter())).block())
                    .last();
            // No row is missing. If one were, nothing would be drawn from what is created here.
            toRows.add(inLedger + last + ", 'LOST', '-')");
            fromRows.add(inLedger + row.number + ")");
            toCounters.add(name + last + ")");
            fromCounters.add(name + found.counters.get(key.row()) + ")");
            each.notes()
                    .forEach((offset, number) -> notes.add(
                            "(" + quoted(List.of(key.note(offset), row.version)) + ", " + number + ", 'NONE', '-')"));
        }
        String intoRows = "INSERT INTO " + table.rows() + " (name, version, number, state, text) VALUES ";
        String intoCounters = "INSERT INTO " + table.name() + " (name, id) VALUES ";
        String ifThere = " ON DUPLICATE KEY UPDATE ";
        List<String> writes = new ArrayList<>();
        writes.add(intoRows + String.join(", ", toRows) + ifThere + "number = IF((name, version, number) IN ("
                + String.join(", ", fromRows) + "), VALUES(number), number)");
        writes.add(intoCounters + String.join(", ", toCounters) + ifThere + "id = IF((name, id) IN ("
                + String.join(", ", fromCounters) + "), VALUES(id), id)");
        if (!notes.isEmpty()) {
            writes.add(intoRows + String.join(", ", notes) + ifThere + "number = GREATEST(number, VALUES(number))");
        }
        writes.add("COMMIT");
        List<Integer> changed = trips.run(writes, (query, row) -> {});
        // A row that is changed counts twice.
        if (changed.get(0) != 2 * given.size() || changed.get(1) != 2 * given.size()) {
            throw new SQLException("A row was changed while it was locked: table=" + table.name() + " counters="
                    + given.size() + " changed=" + changed + ". Do the engines of the table and of " + table.rows()
                    + " keep row locks?");
        }
    }

    /** Names and versions, which have no characters that SQL takes for its own. */
    private static String quoted(Collection<String> texts) {
        if (!texts.stream().allMatch(each -> PLAIN.matcher(each).matches())) {
            throw new IllegalArgumentException("Names of counters have letters, digits and _-/@. only: names=" + texts);
        }
        return "'" + String.join("', '", texts) + "'";
    }
}
