package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.jdbc.LockWait;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL, at READ COMMITTED. Any list is one statement in autocommit mode:
 *
 * <pre>
 * WITH v AS MATERIALIZED (SELECT * FROM unnest(...) v (key, name, version, known, most, amount)),
 *     k AS MATERIALIZED (SELECT v.key, v.version, v.name, s.id + v.amount AS last FROM v
 *         JOIN distributedid l ON l.name = v.key AND l.version = v.version AND l.state = 'OPEN'
 *         JOIN sequence s ON s.name = v.name AND s.id &gt;= l.number AND s.id BETWEEN v.known AND v.most
 *             AND MOD(s.id, 2) = 1
 *         ORDER BY l.name FOR UPDATE OF l FOR UPDATE OF s SKIP LOCKED),
 *     c AS (UPDATE sequence s SET id = k.last FROM k WHERE s.name = k.name),
 *     w AS (UPDATE distributedid l SET number = k.last FROM k WHERE l.name = k.key),
 *     n AS (INSERT INTO distributedid ... SELECT ... FROM unnest(...) n (key, note, number) JOIN k ON k.key = n.key
 *         ON CONFLICT (name) DO UPDATE SET number = ... WHERE it grows)
 *     SELECT key, last FROM k;
 * </pre>
 *
 * <p>Both tables are joined under one FOR UPDATE: after a wait, all conditions are evaluated again on the latest rows.
 * A subquery would compare with the snapshot from before the wait, and either give ids under an old version or find a
 * loss where there is none.
 *
 * <p><b>Locked rows.</b> A row of the ledger is waited for as long as {@link LockWait} says. If one does not get free,
 * the list goes again without those that are locked then. A counter of a list is skipped; alone, it is waited for as
 * long. A second query tells why a counter has given nothing. For one thread at a time.
 */
final class PostgreSqlDraws implements Draws {

    private static final String VALUES = " v (key, name, version, known, most, amount)";

    private static final String ONE = "VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),"
            + " CAST(? AS BIGINT), CAST(? AS BIGINT))";

    private final CounterTable table;

    PostgreSqlDraws(CounterTable table) {
        this.table = table;
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        try {
            return drawUnlocked(draws);
        } catch (SQLException e) {
            throw table.explained(e);
        }
    }

    private Map<CounterKey, Drawn> drawUnlocked(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        draws.forEach(each -> drawn.put(each.counter(), Drawn.LOCKED));
        try {
            drawn.putAll(Transactions.repeat(() -> attempt(draws)));
        } catch (SQLException e) {
            if (!SqlErrors.isLockWaitTimeout(e)) {
                throw e;
            }
            Set<String> free = free(draws);
            List<Draw> rest = draws.stream()
                    .filter(each -> free.contains(key(each).ledgerRow()))
                    .toList();
            if (!rest.isEmpty() && rest.size() < draws.size()) {
                drawn.putAll(drawUnlocked(rest));
            }
            return drawn;
        }
        List<Draw> left = draws.stream()
                .filter(each -> drawn.get(each.counter()) == Drawn.LOCKED)
                .toList();
        if (!left.isEmpty()) {
            drawn.putAll(explain(left));
        }
        return drawn;
    }

    private CounterKey key(Draw draw) {
        return table.inLedger(draw.counter());
    }

    /** Leaves out those that have given nothing. */
    private Map<CounterKey, Drawn> attempt(List<Draw> draws) throws SQLException {
        boolean isOne = draws.size() == 1;
        boolean hasNotes = draws.stream().anyMatch(each -> !each.notes().isEmpty());
        String sql = "WITH v" + VALUES.substring(2) + " AS "
                + (isOne ? "(" + ONE : "MATERIALIZED (SELECT * FROM unnest(?, ?, ?, ?, ?, ?)") + "), k AS"
                + " MATERIALIZED (SELECT v.key, v.version, v.name, CAST(s.id + v.amount AS BIGINT) AS last FROM v JOIN "
                + table.rows() + " l ON l.name = v.key AND l.version = v.version AND l.state = 'OPEN' JOIN "
                + table.name() + " s ON s.name = v.name AND s.id >= l.number AND s.id BETWEEN v.known AND v.most"
                + " AND MOD(s.id, " + table.numbering().increment() + ") = " + table.remainder() + " WHERE 1 = 1"
                + Durability.OF_TRANSACTION + LockWait.OF_TRANSACTION + " ORDER BY l.name FOR UPDATE OF l"
                + (isOne ? ", s" : " FOR UPDATE OF s SKIP LOCKED") + "), c AS (UPDATE " + table.name()
                + " s SET id = k.last FROM k WHERE s.name = k.name), w AS (UPDATE " + table.rows()
                + " l SET number = k.last FROM k WHERE l.name = k.key)"
                + (hasNotes
                        ? ", n AS (INSERT INTO " + table.rows() + " AS l (name, version, number, state, text)"
                                + " SELECT n.note, k.version, n.number, 'NONE', '-' FROM unnest(?, ?, ?)"
                                + " n (key, note, number) JOIN k ON k.key = n.key ON CONFLICT (name) DO UPDATE"
                                + " SET number = excluded.number WHERE l.number < excluded.number)"
                        : "")
                + " SELECT key, last FROM k";
        try (PreparedStatement draw = table.connection().prepareStatement(sql)) {
            int next = isOne ? setOne(draw, draws.get(0)) : setAll(draw, draws);
            if (hasNotes) {
                setNotes(draw, next, draws);
            }
            return read(draw, draws);
        }
    }

    private int setOne(PreparedStatement statement, Draw draw) throws SQLException {
        statement.setString(1, key(draw).ledgerRow());
        statement.setString(2, draw.counter().row());
        statement.setString(3, draw.version().toString());
        statement.setLong(4, draw.known());
        statement.setLong(5, table.most(draw));
        statement.setLong(6, table.amount(draw));
        return 7;
    }

    private int setAll(PreparedStatement statement, List<Draw> draws) throws SQLException {
        Connection connection = table.connection();
        statement.setArray(
                1,
                connection.createArrayOf(
                        "text",
                        draws.stream().map(each -> key(each).ledgerRow()).toArray()));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "text", draws.stream().map(each -> each.counter().row()).toArray()));
        statement.setArray(
                3,
                connection.createArrayOf(
                        "text",
                        draws.stream().map(each -> each.version().toString()).toArray()));
        statement.setArray(
                4,
                connection.createArrayOf(
                        "bigint", draws.stream().map(Draw::known).toArray()));
        statement.setArray(
                5,
                connection.createArrayOf(
                        "bigint", draws.stream().map(table::most).toArray()));
        statement.setArray(
                6,
                connection.createArrayOf(
                        "bigint", draws.stream().map(table::amount).toArray()));
        return 7;
    }

    private void setNotes(PreparedStatement statement, int first, List<Draw> draws) throws SQLException {
        List<String> keys = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (Draw each : draws) {
            each.notes().forEach((offset, number) -> {
                keys.add(key(each).ledgerRow());
                notes.add(key(each).note(offset));
                numbers.add(number);
            });
        }
        statement.setArray(first, table.connection().createArrayOf("text", keys.toArray()));
        statement.setArray(first + 1, table.connection().createArrayOf("text", notes.toArray()));
        statement.setArray(first + 2, table.connection().createArrayOf("bigint", numbers.toArray()));
    }

    private Map<CounterKey, Drawn> read(PreparedStatement statement, List<Draw> draws) throws SQLException {
        Map<String, Draw> byKey = new HashMap<>();
        draws.forEach(each -> byKey.put(key(each).ledgerRow(), each));
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                Draw draw = byKey.get(row.getString(1));
                drawn.put(draw.counter(), table.block(draw, row.getLong(2)));
            }
        }
        return drawn;
    }

    /** The rows of the ledger that nobody has locked. */
    private Set<String> free(List<Draw> draws) throws SQLException {
        try (PreparedStatement select = table.connection()
                .prepareStatement(
                        "SELECT name FROM " + table.rows() + " WHERE name = ANY (?) FOR UPDATE SKIP LOCKED")) {
            select.setArray(
                    1,
                    table.connection()
                            .createArrayOf(
                                    "text",
                                    draws.stream()
                                            .map(each -> key(each).ledgerRow())
                                            .toArray()));
            Set<String> free = new HashSet<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    free.add(row.getString(1));
                }
            }
            return free;
        }
    }

    /** A counter that could be drawn from now was locked, or has changed since; or it has less than was wanted. */
    private Map<CounterKey, Drawn> explain(List<Draw> draws) throws SQLException {
        Map<String, Row> rows = table.ledger()
                .read(draws.stream().map(each -> key(each).ledgerRow()).toList())
                .rows();
        Map<String, Long> counters =
                table.ids(draws.stream().map(each -> each.counter().row()).toList(), "");
        Map<CounterKey, Drawn> explained = new LinkedHashMap<>();
        for (Draw each : draws) {
            Row row = rows.get(key(each).ledgerRow());
            Long counter = counters.get(each.counter().row());
            boolean isOpen = row != null && row.version().equals(each.version()) && row.state() == Row.State.OPEN;
            Drawn now =
                    row == null || counter == null ? Drawn.REFUSED : table.judge(each, isOpen, row.number(), counter);
            Block block = now.block();
            boolean isShorter = block != null && block.count() < each.wanted();
            if (isShorter) {
                Draw shorter = new Draw(
                        each.counter(), block.count(), each.version(), each.known(), each.furthest(), each.notes());
                explained.putAll(drawUnlocked(List.of(shorter)));
            } else {
                explained.put(each.counter(), block == null ? now : Drawn.LOCKED);
            }
        }
        return explained;
    }
}
