package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    private final CounterWrites writes;

    H2Draws(CounterTable table) throws SQLException {
        super(table);
        this.writes = new CounterWrites(table);
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
        CounterKey key = table.inLedger(draw.counter());
        Row row =
                table.ledger().lock(Set.of(key.ledgerRow())).stream().findAny().orElse(null);
        if (row == null || row.state() != Row.State.OPEN || !row.version().equals(draw.version())) {
            return Drawn.REFUSED;
        }
        Long counter = table.ids(Set.of(key.row()), " FOR UPDATE").get(key.row());
        Drawn drawn = counter == null ? Drawn.REFUSED : table.judge(draw, row.number(), counter);
        Block block = drawn.block();
        if (block != null) {
            table.update("UPDATE " + table.name() + " SET id = ? WHERE name = ?", List.of(block.last(), key.row()));
            table.update(
                    table.sql().drawn(),
                    List.of(
                            block.first(),
                            block.last(),
                            row.name(),
                            row.version().toString(),
                            row.number()));
            table.ledger().raise(writes.notes(draw.counter(), draw.notes(), row.version()));
        }
        return drawn;
    }
}
