package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * H2, at READ COMMITTED: a transaction for each counter, since calls in the process cost little.
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name = 'sequence/photos' FOR UPDATE;
 * SELECT name, id FROM sequence WHERE name = 'photos' FOR UPDATE;
 * UPDATE sequence SET id = ... WHERE name = 'photos';
 * UPDATE distributedid SET number = ... WHERE name = 'sequence/photos' AND version = ...;
 * ... the notes ...
 * COMMIT;
 * </pre>
 */
final class H2Draws extends Draws {

    H2Draws(CounterTable table) throws SQLException {
        super(table);
    }

    @Override
    Map<CounterKey, Drawn> attempt(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        for (Draw each : draws) {
            try {
                drawn.put(each.counter(), Transactions.run(table.connection(), () -> drawLocked(each)));
            } catch (SQLException e) {
                if (!SqlErrors.isLockWaitTimeout(e)) {
                    throw e;
                }
                drawn.put(each.counter(), Drawn.LOCKED);
            }
        }
        return drawn;
    }

    private Drawn drawLocked(Draw draw) throws SQLException {
        List<Drawn> drawn = new ArrayList<>();
        for (Row row : table.ledger().rows().lock(List.of(rowOf(draw)))) {
            if (row.state() == Row.State.OPEN && row.version().equals(draw.version())) {
                table.query(
                        "SELECT id FROM " + table.name() + " WHERE name = ? FOR UPDATE",
                        List.of(draw.counter().row()),
                        counter -> drawn.add(judge(draw, row.number(), UnsignedColumn.atMost(counter, 1))));
            }
        }
        Block block = drawn.isEmpty() ? null : drawn.get(0).block();
        if (block != null) {
            int changed = table.update(
                    "UPDATE " + table.name() + " SET id = ? WHERE name = ?",
                    List.of(block.last(), draw.counter().row()));
            changed += table.update(
                    table.sql().drawn(),
                    List.of(
                            block.first(),
                            block.last(),
                            rowOf(draw),
                            draw.version().toString(),
                            0));
            if (changed != 2) {
                throw new SQLException("A row has vanished while it was locked: " + draw + " on " + table.label());
            }
            table.ledger().rows().raise(table.ledger().notes(draw.counter(), draw.notes(), draw.version()));
        }
        return drawn.isEmpty() ? Drawn.REFUSED : drawn.get(0);
    }
}
