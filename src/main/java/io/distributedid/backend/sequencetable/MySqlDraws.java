package io.distributedid.backend.sequencetable;

import static java.util.Objects.requireNonNull;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.jdbc.MySqlTrips;
import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.LedgerSql;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * MySQL and MariaDB. One counter, in autocommit mode and one trip:
 *
 * <pre>
 * UPDATE distributedid l STRAIGHT_JOIN sequence s STRAIGHT_JOIN distributedid n0
 *     SET l.number = s.id + 200, s.id = LAST_INSERT_ID(s.id + 200), n0.number = GREATEST(n0.number, 1042)
 *     WHERE l.name = 'sequence/photos' AND l.version = '17-a01f' AND l.state = 'OPEN' AND s.name = 'photos'
 *     AND s.id &gt; l.number - 2 AND s.id BETWEEN ... AND ... AND MOD(s.id, 2) = 1
 *     AND n0.name = 'sequence/photos@2' AND @@server_uuid = '...';
 * </pre>
 *
 * The order of the join is that of the locks. The last id comes in the statement's own response
 * (RETURN_GENERATED_KEYS), so no proxy can run another statement in between.
 *
 * <p>Several counters, or one for which some condition does not hold (a note may be missing), in two trips where the
 * connection has multi-queries, see {@link MySqlTrips}:
 *
 * <pre>
 * START TRANSACTION;
 * SELECT name, CONCAT(version, ' ', state), number FROM distributedid FORCE INDEX (PRIMARY)
 *     WHERE name IN ('sequence/photos', ...) AND @@server_uuid = '...' FOR UPDATE;
 * SELECT name, id FROM sequence FORCE INDEX (PRIMARY) WHERE name IN ('photos', ...) FOR UPDATE SKIP LOCKED;
 *
 * INSERT INTO distributedid (name, version, number, state, text) VALUES ('sequence/photos', '17-a01f', 180, ...), ...
 *     ON DUPLICATE KEY UPDATE number = IF(version = VALUES(version) AND number &lt; VALUES(number), VALUES(number),
 *     number);
 * INSERT INTO sequence (name, id) VALUES ('photos', 180), ...
 *     ON DUPLICATE KEY UPDATE id = IF((name, id) IN (('photos', 80), ...), VALUES(id), id);
 * INSERT INTO distributedid ... VALUES ('sequence/photos@2', '17-a01f', 1042, ...), ...
 *     ON DUPLICATE KEY UPDATE number = GREATEST(number, VALUES(number));
 * COMMIT;
 * </pre>
 *
 * FORCE INDEX keeps a small table from being scanned, and all its rows from being locked. The INSERTs find each row by
 * its key, which an UPDATE might not. Their conditions hold as long as the rows stay locked. If they don't, a table has
 * become MyISAM meanwhile: the draw fails, and the next connection refuses the table. A wait that ended leaves the
 * transaction open: hence the ROLLBACK.
 */
final class MySqlDraws extends Draws {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/@.-]+");

    private final MySqlTrips trips;

    private final String isSameServer;

    /** The tables in queries that find rows by name. */
    private final String rows;

    private final String counters;

    MySqlDraws(CounterTable table) throws SQLException {
        super(table);
        this.trips = MySqlTrips.on(table.ledger().connection());
        this.isSameServer = " AND " + table.ledger().isSameServer();
        this.rows = table.sql().table() + " FORCE INDEX (PRIMARY)";
        List<String> keys = new ArrayList<>();
        table.query(
                "SHOW INDEX FROM " + table.name()
                        + " WHERE Non_unique = 0 AND Seq_in_index = 1 AND Column_name = 'name'",
                List.of(),
                index -> keys.add(index.getString("Key_name")));
        this.counters = table.name() + " FORCE INDEX (`" + keys.get(0) + "`)";
    }

    @Override
    Map<CounterKey, Drawn> attempt(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        List<Draw> rest = new ArrayList<>(draws);
        if (draws.size() == 1 || !skipsLocked) {
            for (Draw each : draws) {
                if (alone(each, drawn)) {
                    rest.remove(each);
                }
            }
        }
        if (!rest.isEmpty()) {
            try {
                together(rest, drawn);
            } catch (SQLException | RuntimeException e) {
                trips.rollBack(e);
                throw e;
            }
        }
        return drawn;
    }

    /** Returns false if some condition does not hold. */
    private boolean alone(Draw draw, Map<CounterKey, Drawn> drawn) throws SQLException {
        if (most(draw) < least(draw)) {
            // A statement that is prepared on the server takes a negative number for a huge one here.
            return false;
        }
        CounterKey key = table.ledger().key(draw.counter());
        StringBuilder join = new StringBuilder();
        StringBuilder set = new StringBuilder();
        StringBuilder where = new StringBuilder();
        List<Object> values = new ArrayList<>(List.of(amount(draw), amount(draw)));
        List<Object> conditions = new ArrayList<>(
                List.of(key.ledgerRow(), draw.version().toString(), key.row(), least(draw), most(draw)));
        draw.notes().forEach((offset, number) -> {
            String note = "n" + (values.size() - 2);
            join.append(" STRAIGHT_JOIN " + table.sql().table() + " " + note);
            set.append(", " + note + ".number = GREATEST(" + note + ".number, ?)");
            where.append(" AND " + note + ".name = ?");
            values.add(number);
            conditions.add(key.note(offset));
        });
        values.addAll(conditions);
        try (PreparedStatement update = table.ledger()
                .connection()
                .prepareStatement(
                        "UPDATE " + table.sql().table() + " l STRAIGHT_JOIN " + table.name() + " s" + join
                                + " SET l.number = s.id + ?, s.id = LAST_INSERT_ID(s.id + ?)" + set + " WHERE "
                                + LedgerSql.IS_OPEN
                                + " AND s.name = ? AND " + isNextNew("l.number")
                                + " AND s.id BETWEEN ? AND ?"
                                + where + isSameServer,
                        Statement.RETURN_GENERATED_KEYS)) {
            Queries.set(update, values);
            if (update.executeUpdate() == 0) {
                return false;
            }
            try (ResultSet last = update.getGeneratedKeys()) {
                if (!last.next()) {
                    throw new SQLException("The driver does not return the value of LAST_INSERT_ID after an UPDATE");
                }
                drawn.put(draw.counter(), block(draw, UnsignedColumn.read(last, 1)));
                return true;
            }
        }
    }

    private void together(List<Draw> draws, Map<CounterKey, Drawn> drawn) throws SQLException {
        List<String> names = draws.stream().map(each -> each.counter().row()).toList();
        Map<String, Long> numbers = new HashMap<>();
        Map<String, Long> last = new HashMap<>();
        trips.run(
                List.of(
                        "START TRANSACTION",
                        "SELECT name, CONCAT(version, ' ', state), number FROM " + rows + " WHERE name IN ("
                                + quoted(draws.stream().map(this::rowOf).toList()) + ")" + isSameServer
                                + " FOR UPDATE",
                        "SELECT name, id FROM " + counters + " WHERE name IN (" + quoted(names) + ") FOR UPDATE"
                                + (skipsLocked ? " SKIP LOCKED" : "")),
                (query, row) -> {
                    while (row.next()) {
                        if (query == 0) {
                            numbers.put(row.getString(1) + " " + row.getString(2), row.getLong(3));
                        } else {
                            last.put(table.requireAsked(row.getString(1), names), UnsignedColumn.atMost(row, 2));
                        }
                    }
                });
        List<Draw> given = new ArrayList<>();
        for (Draw each : draws) {
            Long number = numbers.get(rowOf(each) + " " + each.version() + " OPEN");
            Long counter = last.get(each.counter().row());
            if (number != null && counter != null) {
                Drawn answer = judge(each, number, counter);
                drawn.put(each.counter(), answer);
                if (answer.block() != null) {
                    given.add(each);
                }
            }
        }
        if (given.isEmpty()) {
            trips.run(List.of("ROLLBACK"));
        } else {
            write(given, last, drawn);
        }
    }

    private void write(List<Draw> given, Map<String, Long> last, Map<CounterKey, Drawn> drawn) throws SQLException {
        List<String> toRows = new ArrayList<>();
        List<String> toCounters = new ArrayList<>();
        List<String> fromCounters = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Draw each : given) {
            CounterKey key = table.ledger().key(each.counter());
            String version = each.version().toString();
            String counter = "(" + quoted(List.of(key.row())) + ", ";
            long to = requireNonNull(requireNonNull(drawn.get(each.counter())).block())
                    .last();
            // No row is missing. If one were, nothing would be drawn from what is created here.
            toRows.add("(" + quoted(List.of(key.ledgerRow(), version)) + ", " + to + ", 'LOST', '-')");
            toCounters.add(counter + to + ")");
            fromCounters.add(counter + last.get(key.row()) + ")");
            each.notes()
                    .forEach((offset, number) -> notes.add(
                            "(" + quoted(List.of(key.note(offset), version)) + ", " + number + ", 'NONE', '-')"));
        }
        String intoRows = table.sql().table() + " (name, version, number, state, text)";
        List<String> writes = new ArrayList<>();
        writes.add(upsert(
                intoRows,
                toRows,
                "number = IF(version = VALUES(version) AND number < VALUES(number), VALUES(number), number)"));
        writes.add(upsert(
                table.name() + " (name, id)",
                toCounters,
                "id = IF((name, id) IN (" + String.join(", ", fromCounters) + "), VALUES(id), id)"));
        if (!notes.isEmpty()) {
            writes.add(upsert(intoRows, notes, "number = GREATEST(number, VALUES(number))"));
        }
        writes.add("COMMIT");
        List<Integer> changed = trips.run(writes, (query, row) -> {});
        // A row that is changed counts twice.
        if (changed.get(0) != 2 * given.size() || changed.get(1) != 2 * given.size()) {
            throw new SQLException("A row was changed while it was locked: table=" + table.name() + " counters="
                    + given.size() + " changed=" + changed + ". Do the engines of the table and of "
                    + table.sql().table()
                    + " keep row locks?");
        }
    }

    private static String upsert(String into, List<String> rows, String ifThere) {
        return "INSERT INTO " + into + " VALUES " + String.join(", ", rows) + " ON DUPLICATE KEY UPDATE " + ifThere;
    }

    /** Names and versions, which have no characters that SQL takes for its own. */
    private static String quoted(Collection<String> texts) {
        if (!texts.stream().allMatch(each -> PLAIN.matcher(each).matches())) {
            throw new IllegalArgumentException("Names of counters have letters, digits and _-/@. only: names=" + texts);
        }
        return "'" + String.join("', '", texts) + "'";
    }
}
