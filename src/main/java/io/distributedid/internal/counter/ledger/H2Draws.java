package io.distributedid.internal.counter.ledger;

import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.jdbc.Queries;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Draws on H2, at READ COMMITTED: a transaction for each counter, since calls in the process cost little.
 *
 * <pre>
 * SELECT ... FROM distributedid WHERE name = 'sequence/photos' FOR UPDATE;
 * SELECT id FROM sequence WHERE name = 'photos' FOR UPDATE;
 * UPDATE sequence SET id = ... WHERE name = 'photos';
 * MERGE INTO distributedid ...;                                                     -- the number
 * MERGE INTO distributedid ...;                                                     -- the notes
 * COMMIT;
 * </pre>
 *
 * @param key the column that names the counter's row in its table
 */
public record H2Draws(CounterLedger ledger, String key) {

    /**
     * Draws from the row of a table whose key has that value.
     *
     * @param rule what a draw gets from an open row by its number and the last id, see {@link Draw#judge}
     */
    public Drawn draw(Draw draw, String table, String value, BiFunction<Long, Long, Drawn> rule) throws SQLException {
        try {
            return Transactions.run(ledger.connection(), () -> drawLocked(draw, table, value, rule));
        } catch (SQLException e) {
            if (SqlErrors.isLockWaitTimeout(e)) {
                return Drawn.LOCKED;
            }
            throw e;
        }
    }

    private Drawn drawLocked(Draw draw, String table, String value, BiFunction<Long, Long, Drawn> rule)
            throws SQLException {
        String name = ledger.key(draw.counter()).ledgerRow();
        Row row = ledger.rows().lock(List.of(name)).stream().findAny().orElse(null);
        if (row == null || row.state() != Row.State.OPEN || !row.version().equals(draw.version())) {
            return Drawn.REFUSED;
        }
        Drawn drawn = Queries.first(
                        ledger.connection(),
                        "SELECT id FROM " + table + " WHERE " + key + " = ? FOR UPDATE",
                        List.of(value),
                        counter -> rule.apply(row.number(), UnsignedColumn.atMost(counter, 1)))
                .orElse(Drawn.REFUSED);
        Block block = drawn.block();
        if (block != null) {
            Row next = new Row(name, row.version(), block.last(), row.state(), row.text());
            try (PreparedStatement update =
                    ledger.connection().prepareStatement("UPDATE " + table + " SET id = ? WHERE " + key + " = ?")) {
                update.setLong(1, block.last());
                update.setString(2, value);
                if (update.executeUpdate() != 1 || ledger.rows().raise(List.of(next)) != 1) {
                    throw new SQLException("A row has vanished while it was locked: " + draw + " on " + ledger.label());
                }
            }
            int unused = ledger.rows().raise(ledger.notes(draw.counter(), draw.notes(), row.version()));
        }
        return drawn;
    }
}
