package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.ledger.Row;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
final class H2Draws implements Draws {

    private final CounterTable table;

    private final CounterWrites writes;

    H2Draws(CounterTable table) {
        this.table = table;
        this.writes = new CounterWrites(table);
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        for (Draw each : draws) {
            drawn.put(each.counter(), draw(each));
        }
        return drawn;
    }

    private Drawn draw(Draw draw) throws SQLException {
        try {
            return Transactions.run(table.connection(), () -> drawLocked(draw));
        } catch (SQLException e) {
            if (SqlErrors.isLockWaitTimeout(e)) {
                return Drawn.LOCKED;
            }
            throw table.explained(e);
        }
    }

    private Drawn drawLocked(Draw draw) throws SQLException {
        CounterKey key = table.inLedger(draw.counter());
        String name = draw.counter().row();
        for (Row row : table.ledger().lock(Set.of(key.ledgerRow()))) {
            Long counter = table.ids(Set.of(name), " FOR UPDATE").get(name);
            boolean isOpen = row.version().equals(draw.version()) && row.state() == Row.State.OPEN;
            Drawn drawn = counter == null ? Drawn.REFUSED : table.judge(draw, isOpen, row.number(), counter);
            if (drawn.block() != null) {
                writes.setId(name, drawn.block().last());
                note(row, drawn.block().first(), drawn.block().last());
                Map<String, Long> notes = new TreeMap<>();
                draw.notes().forEach((offset, number) -> notes.put(key.note(offset), number));
                writes.write(notes, row.version());
            }
            return drawn;
        }
        return Drawn.REFUSED;
    }

    private void note(Row row, long first, long last) throws SQLException {
        String sql = new LedgerSql(table.product(), table.rows()).drawn();
        try (PreparedStatement update = table.connection().prepareStatement(sql)) {
            update.setLong(1, first);
            update.setLong(2, last);
            update.setString(3, row.name());
            update.setString(4, row.version().toString());
            update.setLong(5, row.number());
            if (update.executeUpdate() != 1) {
                throw new SQLException("A row of the ledger has changed while it was locked: row=" + row.name());
            }
        }
    }
}
