package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.jdbc.LockWait;
import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * PostgreSQL, at READ COMMITTED. Any list is one statement in autocommit mode:
 *
 * <pre>
 * WITH v (key, name, version, known, most, amount) AS (SELECT * FROM unnest(...)),
 *     k AS MATERIALIZED (SELECT v.key, v.version, v.name, s.id + v.amount AS last FROM v
 *         JOIN distributedid l ON l.name = v.key AND l.version = v.version AND l.state = 'OPEN'
 *         JOIN sequence s ON s.name = v.name AND s.id &gt; l.number - 2 AND s.id BETWEEN v.known AND v.most
 *             AND MOD(s.id, 2) = 1
 *         ORDER BY l.name FOR UPDATE OF l FOR UPDATE OF s SKIP LOCKED),
 *     c AS (UPDATE sequence s SET id = k.last FROM k WHERE s.name = k.name),
 *     w AS (UPDATE distributedid l SET number = k.last FROM k WHERE l.name = k.key),
 *     n AS (INSERT INTO distributedid ... SELECT ... FROM unnest(...) n (key, note, number) JOIN k ON k.key = n.key
 *         ON CONFLICT (name) DO UPDATE SET number = ... WHERE it grows)
 *     SELECT key, last FROM k;
 * </pre>
 *
 * <p>One counter comes as VALUES, and is not skipped. Both tables are joined under one FOR UPDATE: after a wait, all
 * conditions are evaluated again on the latest rows. A subquery would compare with the snapshot from before the wait,
 * and either give ids under an old version or find a loss where there is none.
 */
final class PostgreSqlDraws extends Draws {

    private static final String ONE = "VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),"
            + " CAST(? AS BIGINT), CAST(? AS BIGINT))";

    private static final String LIST = "SELECT * FROM unnest(?, ?, ?, ?, ?, ?)";

    PostgreSqlDraws(CounterTable table) throws SQLException {
        super(table);
    }

    @Override
    Map<CounterKey, Drawn> attempt(List<Draw> draws) throws SQLException {
        List<Object> values = new ArrayList<>();
        Map<String, Draw> byKey = new HashMap<>();
        for (Draw each : draws) {
            byKey.put(table.rowOf(each), each);
        }
        boolean isOne = draws.size() == 1;
        for (Function<Draw, Object> column : columns()) {
            List<Object> all = draws.stream().map(column).toList();
            values.add(isOne ? all.get(0) : array(all));
        }
        boolean hasNotes = addNotes(values, draws);
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        table.query(sql(isOne, hasNotes), values, row -> {
            Draw draw = byKey.get(row.getString(1));
            drawn.put(draw.counter(), table.block(draw, row.getLong(2)));
        });
        return drawn;
    }

    private List<Function<Draw, Object>> columns() {
        return List.of(
                table::rowOf,
                each -> each.counter().row(),
                each -> each.version().toString(),
                table::least,
                table::most,
                table::amount);
    }

    private Array array(Collection<?> all) throws SQLException {
        String type = all.iterator().next() instanceof Long ? "bigint" : "text";
        return table.connection().createArrayOf(type, all.toArray());
    }

    private boolean addNotes(List<Object> values, List<Draw> draws) throws SQLException {
        List<String> keys = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (Draw each : draws) {
            each.notes().forEach((offset, number) -> {
                keys.add(table.rowOf(each));
                notes.add(table.inLedger(each.counter()).note(offset));
                numbers.add(number);
            });
        }
        if (keys.isEmpty()) {
            return false;
        }
        values.addAll(List.of(array(keys), array(notes), array(numbers)));
        return true;
    }

    private String sql(boolean isOne, boolean hasNotes) {
        String notes = ", n AS (INSERT INTO " + table.rows() + " AS l (name, version, number, state, text)"
                + " SELECT n.note, k.version, n.number, 'NONE', '-' FROM unnest(?, ?, ?) n (key, note, number)"
                + " JOIN k ON k.key = n.key ON CONFLICT (name) DO UPDATE SET number = excluded.number"
                + " WHERE l.number < excluded.number)";
        return "WITH v (key, name, version, known, most, amount) AS (" + (isOne ? ONE : LIST) + "), k AS MATERIALIZED"
                + " (SELECT v.key, v.version, v.name, CAST(s.id + v.amount AS BIGINT) AS last FROM v JOIN "
                + table.rows() + " l ON l.name = v.key AND l.version = v.version AND l.state = 'OPEN' JOIN "
                + table.name() + " s ON s.name = v.name AND " + table.isNextNew()
                + " AND s.id BETWEEN v.known AND v.most AND "
                + table.hasRemainder() + " WHERE 1 = 1" + Durability.OF_TRANSACTION + LockWait.OF_TRANSACTION
                + " ORDER BY l.name FOR UPDATE OF l" + (isOne ? ", s" : " FOR UPDATE OF s SKIP LOCKED")
                + "), c AS (UPDATE " + table.name() + " s SET id = k.last FROM k WHERE s.name = k.name), w AS (UPDATE "
                + table.rows() + " l SET number = k.last FROM k WHERE l.name = k.key)" + (hasNotes ? notes : "")
                + " SELECT key, last FROM k";
    }
}
