package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counting.CounterKey;
import io.distributedid.internal.counting.Draw;
import io.distributedid.internal.counting.Drawn;
import io.distributedid.internal.jdbc.ServerIdentity;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.Transactions;
import io.distributedid.internal.jdbc.UnsignedColumn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * MySQL and MariaDB. One counter, in autocommit mode and one trip:
 *
 * <pre>
 * UPDATE distributedid l STRAIGHT_JOIN sequence s STRAIGHT_JOIN distributedid n1
 *     SET l.number = s.id + 100, s.id = LAST_INSERT_ID(s.id + 100), n1.number = GREATEST(n1.number, 1042)
 *     WHERE l.name = 'sequence/photos' AND l.version = '17-a01f' AND l.state = 'OPEN'
 *     AND s.name = 'photos' AND s.id &gt;= l.number AND s.id BETWEEN ... AND ... AND MOD(s.id, 2) = 1
 *     AND n1.name = 'sequence/photos@2' AND @@server_uuid = '...';
 * </pre>
 *
 * The order of the join is that of the locks. The ledger's row is updated as it is read, so {@code s.id} is still the
 * old one there; {@code LAST_INSERT_ID} stands in the expression of {@code s.id} itself. The last id comes in the
 * statement's own response (RETURN_GENERATED_KEYS), so no proxy can run another statement in between.
 *
 * <p>Several counters, or one for which some condition does not hold, go to {@link MySqlBatch}, which finds out why. A
 * wait that ended is one for a locked row. For one thread at a time.
 */
final class MySqlDraws implements Draws {

    private final CounterTable table;

    private final MySqlBatch batch;

    private final String isSameServer;

    MySqlDraws(CounterTable table) throws SQLException {
        this.table = table;
        this.batch = new MySqlBatch(table);
        this.isSameServer = " AND " + ServerIdentity.condition(table.identity());
    }

    @Override
    public Map<CounterKey, Drawn> draw(List<Draw> draws) throws SQLException {
        Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
        try {
            List<Draw> rest = new ArrayList<>(draws);
            if (draws.size() == 1 || !batch.skipsLocked()) {
                for (Draw each : draws) {
                    Optional<Drawn> found = Transactions.repeat(() -> alone(each));
                    found.ifPresent(answer -> drawn.put(each.counter(), answer));
                }
                rest.removeIf(each -> drawn.containsKey(each.counter()));
            }
            if (!rest.isEmpty()) {
                drawn.putAll(Transactions.repeat(() -> batch.draw(rest)));
            }
            return drawn;
        } catch (SQLException e) {
            throw table.explained(e);
        }
    }

    /** Empty if some condition does not hold. */
    private Optional<Drawn> alone(Draw draw) throws SQLException {
        CounterKey key = table.inLedger(draw.counter());
        List<Long> offsets = draw.notes().keySet().stream().sorted().toList();
        StringBuilder join = new StringBuilder();
        StringBuilder set = new StringBuilder();
        StringBuilder where = new StringBuilder();
        for (int i = 0; i < offsets.size(); i++) {
            String note = "n" + i;
            join.append(" STRAIGHT_JOIN ").append(table.rows()).append(' ').append(note);
            set.append(", " + note + ".number = GREATEST(" + note + ".number, ?)");
            where.append(" AND " + note + ".name = ?");
        }
        try (PreparedStatement update = table.connection()
                .prepareStatement(
                        "UPDATE " + table.rows() + " l STRAIGHT_JOIN " + table.name() + " s" + join
                                + " SET l.number = s.id + ?, s.id = LAST_INSERT_ID(s.id + ?)" + set
                                + " WHERE l.name = ? AND l.version = ? AND l.state = 'OPEN' AND s.name = ?"
                                + " AND s.id >= l.number AND s.id BETWEEN ? AND ? AND MOD(s.id, ?) = ?" + where
                                + isSameServer,
                        Statement.RETURN_GENERATED_KEYS)) {
            int parameter = 0;
            update.setLong(++parameter, table.amount(draw));
            update.setLong(++parameter, table.amount(draw));
            for (Long offset : offsets) {
                update.setLong(++parameter, draw.notes().get(offset));
            }
            update.setString(++parameter, key.ledgerRow());
            update.setString(++parameter, draw.version().toString());
            update.setString(++parameter, key.row());
            update.setLong(++parameter, draw.known());
            update.setLong(++parameter, table.most(draw));
            update.setLong(++parameter, table.numbering().increment());
            update.setLong(++parameter, table.remainder());
            for (Long offset : offsets) {
                update.setString(++parameter, key.note(offset));
            }
            if (update.executeUpdate() < 2) {
                return Optional.empty();
            }
            try (ResultSet last = update.getGeneratedKeys()) {
                if (!last.next()) {
                    throw new SQLException("The driver does not return the value of LAST_INSERT_ID after an UPDATE");
                }
                return Optional.of(table.block(draw, UnsignedColumn.read(last, 1)));
            }
        } catch (SQLException e) {
            if (SqlErrors.isLockWaitTimeout(e)) {
                return Optional.of(Drawn.LOCKED);
            }
            throw e;
        }
    }
}
