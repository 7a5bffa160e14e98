package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.counting.sql.LockWait;
import io.distributedid.internal.counting.sql.SkipLocked;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Draws from the counters of one table on one connection. What differs by product is {@link #attempt}.
 *
 * <p><b>Locks.</b> The rows of the ledger are locked in the order of their names, then the counters. A row of the
 * ledger is waited for as long as {@link LockWait} says. If one does not get free, the list goes again without those
 * that are locked then. A counter that another transaction holds is skipped; alone, it is waited for as long. After a
 * deadlock, the attempt is repeated.
 *
 * <p>Why a counter has given nothing, two queries tell afterwards.
 */
abstract class Draws {

    final CounterTable table;

    private final Optional<SkipLocked> skip;

    Draws(CounterTable table) throws SQLException {
        this.table = table;
        this.skip = SkipLocked.of(table.connection(), table.product());
    }

    static Draws of(CounterTable table) throws SQLException {
        return switch (table.product()) {
            case MYSQL, MARIADB -> new MySqlDraws(table);
            case POSTGRESQL -> new PostgreSqlDraws(table);
            case H2 -> new H2Draws(table);
        };
    }

    /**
     * Draws, and leaves out counters that give nothing.
     *
     * @throws SQLException after a wait that ended, or a deadlock: then nothing was changed
     */
    abstract Map<CounterKey, Drawn> attempt(List<Draw> draws) throws SQLException;

    /** The end of a query that skips locked rows; empty if the server can't. */
    final Optional<String> skipLocked() {
        return skip.map(SkipLocked::update);
    }

    /** See {@link io.distributedid.internal.counting.CounterSession#draw}. */
    final Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        try {
            drawn.putAll(Transactions.repeat(() -> attempt(draws)));
            explain(
                    draws.stream()
                            .filter(each -> !drawn.containsKey(each.counter()))
                            .toList(),
                    drawn);
        } catch (SQLException e) {
            if (!SqlErrors.isLockWaitTimeout(e)) {
                throw table.explained(e);
            }
            Set<String> free = free(draws);
            List<Draw> rest = draws.stream()
                    .filter(each -> free.contains(table.rowOf(each)))
                    .toList();
            draws.forEach(each -> drawn.put(each.counter(), Drawn.LOCKED));
            if (!rest.isEmpty() && rest.size() < draws.size()) {
                drawn.putAll(draw(rest));
            }
        }
        return drawn;
    }

    /** The rows of the ledger that nobody has locked. */
    private Set<String> free(List<Draw> draws) throws SQLException {
        Set<String> free = new HashSet<>();
        if (skip.isPresent()) {
            table.query(
                    "SELECT name FROM " + skip.get().byPrimaryKey(table.rows()) + " WHERE name "
                            + InList.of(draws.size()) + skip.get().update(),
                    draws.stream().map(table::rowOf).toList(),
                    row -> free.add(row.getString(1)));
        }
        return free;
    }

    /** A counter that could be drawn from now was locked, or has changed since; or it has less than was wanted. */
    private void explain(List<Draw> draws, Map<CounterKey, Drawn> drawn) throws SQLException {
        if (draws.isEmpty()) {
            return;
        }
        Map<String, Row> rows =
                table.ledger().read(draws.stream().map(table::rowOf).toList()).rows();
        Map<String, Long> counters =
                table.ids(draws.stream().map(each -> each.counter().row()).toList(), "");
        for (Draw each : draws) {
            Row row = rows.get(table.rowOf(each));
            Long counter = counters.get(each.counter().row());
            boolean isOpen = row != null
                    && row.state() == Row.State.OPEN
                    && row.version().equals(each.version());
            Drawn now = isOpen && counter != null ? table.judge(each, row.number(), counter) : Drawn.REFUSED;
            Block block = now.block();
            if (block != null && block.count() < each.wanted()) {
                Draw shorter = new Draw(
                        each.counter(), block.count(), each.version(), each.known(), each.furthest(), each.notes());
                drawn.putAll(draw(List.of(shorter)));
            } else {
                drawn.put(each.counter(), block == null ? now : Drawn.LOCKED);
            }
        }
    }
}
