package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.sql.SessionSettings;
import io.distributedid.internal.jdbc.Durability;
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
 *     f AS MATERIALIZED (SELECT v.*, l.version AS found, l.state, l.number, s.id FROM v
 *         JOIN distributedid l ON l.name = v.key JOIN sequence s ON s.name = v.name
 *         ORDER BY l.name FOR UPDATE OF l FOR UPDATE OF s SKIP LOCKED),
 *     k AS (SELECT key, name, version, id + amount AS last FROM f WHERE found = version AND state = 'OPEN'
 *         AND id &gt; number - 2 AND id BETWEEN known AND most AND MOD(id, 2) = 1),
 *     c AS (INSERT INTO sequence (name, id) SELECT name, last FROM k
 *         ON CONFLICT (name) DO UPDATE SET id = excluded.id),
 *     w AS (INSERT INTO distributedid AS l ... SELECT key, version, last, ... FROM k
 *         UNION ALL SELECT n.note, ... FROM unnest(...) n (key, note, number) JOIN k ON k.key = n.key
 *         ON CONFLICT (name) DO UPDATE SET number = excluded.number WHERE l.number &lt; excluded.number)
 *     SELECT key, last FROM k;
 * </pre>
 *
 * <p>One counter comes as VALUES, and is not skipped. Both tables are joined under one FOR UPDATE, by names only: after
 * a wait, it returns both rows as they are under the lock, and all conditions compare these. A subquery would compare
 * with the snapshot from before the wait, and either give ids under an old version or find a loss where there is none.
 * The INSERTs find each row by its key. An UPDATE might scan the table for each name, and so might a join with more
 * conditions, which the planner takes for one that finds a single row.
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
            byKey.put(rowOf(each), each);
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
            drawn.put(draw.counter(), block(draw, row.getLong(2)));
        });
        return drawn;
    }

    private List<Function<Draw, Object>> columns() {
        return List.of(
                this::rowOf,
                each -> each.counter().row(),
                each -> each.version().toString(),
                this::least,
                this::most,
                this::amount);
    }

    private Array array(Collection<?> all) throws SQLException {
        String type = all.iterator().next() instanceof Long ? "bigint" : "text";
        return table.ledger().connection().createArrayOf(type, all.toArray());
    }

    private boolean addNotes(List<Object> values, List<Draw> draws) throws SQLException {
        List<String> keys = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (Draw each : draws) {
            each.notes().forEach((offset, number) -> {
                keys.add(rowOf(each));
                notes.add(table.ledger().key(each.counter()).note(offset));
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
        String notes = " UNION ALL SELECT n.note, k.version, n.number, 'NONE', '-'"
                + " FROM unnest(?, ?, ?) n (key, note, number) JOIN k ON k.key = n.key";
        // No row is missing. If one were, nothing would be drawn from what is created here.
        return "WITH v (key, name, version, known, most, amount) AS (" + (isOne ? ONE : LIST) + "), f AS MATERIALIZED"
                + " (SELECT v.*, l.version AS found, l.state, l.number, s.id FROM v JOIN "
                + table.sql().table()
                + " l ON l.name = v.key JOIN " + table.name() + " s ON s.name = v.name WHERE 1 = 1"
                + Durability.OF_TRANSACTION + SessionSettings.LOCK_WAIT_OF_TRANSACTION
                + " ORDER BY l.name FOR UPDATE OF l"
                + (isOne ? ", s" : " FOR UPDATE OF s SKIP LOCKED")
                + "), k AS (SELECT key, name, version, CAST(id + amount AS BIGINT) AS last FROM f s WHERE found = version"
                + " AND state = 'OPEN' AND " + isNextNew("s.number")
                + " AND id BETWEEN known AND most), c AS (INSERT INTO " + table.name()
                + " (name, id) SELECT name, last FROM k ON CONFLICT (name)"
                + " DO UPDATE SET id = excluded.id), w AS (INSERT INTO "
                + table.sql().table()
                + " AS l (name, version, number, state, text) SELECT key, version, last, 'LOST', '-' FROM k"
                + (hasNotes ? notes : "") + " ON CONFLICT (name) DO UPDATE SET number = excluded.number"
                + " WHERE l.number < excluded.number) SELECT key, last FROM k";
    }
}
