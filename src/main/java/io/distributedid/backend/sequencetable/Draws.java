package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.ledger.H2Draws;
import io.distributedid.internal.jdbc.ServerVersion;
import io.distributedid.internal.ledger.Row;
import io.distributedid.spi.Block;
import io.distributedid.spi.DatabaseProduct;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Draws from the counters of one table on one connection, see {@link SequenceTableSession}. What differs by product is
 * {@link #attempt}.
 */
abstract class Draws {

    final CounterTable table;

    /** The distance between two ids of the server. */
    final long step;

    /** Whether the server can skip locked rows. */
    final boolean skipsLocked;

    Draws(CounterTable table) throws SQLException {
        this.table = table;
        this.step = table.ledger().numbering().increment();
        this.skipsLocked = ServerVersion.skipsLocked(
                table.ledger().connection(), table.sql().product());
    }

    static Draws of(CounterTable table) throws SQLException {
        if (table.sql().isMySql()) {
            return new MySqlDraws(table);
        }
        return table.sql().product() == DatabaseProduct.H2 ? new OneByOne(table) : new PostgreSqlDraws(table);
    }

    /** On H2. */
    private static final class OneByOne extends Draws {

        private final H2Draws draws;

        OneByOne(CounterTable table) throws SQLException {
            super(table);
            this.draws = new H2Draws(table.ledger(), "name");
        }

        @Override
        Map<CounterKey, Drawn> attempt(List<Draw> all) throws SQLException {
            Map<CounterKey, Drawn> drawn = new LinkedHashMap<>();
            for (Draw each : all) {
                String row = each.counter().row();
                drawn.put(
                        each.counter(),
                        draws.draw(each, table.name(), row, (number, last) -> judge(each, number, last)));
            }
            return drawn;
        }
    }

    /**
     * Draws, and leaves out counters that give nothing.
     *
     * @throws SQLException after a wait that ended, or a deadlock: then nothing was changed
     */
    abstract Map<CounterKey, Drawn> attempt(List<Draw> draws) throws SQLException;

    final String rowOf(Draw draw) {
        return table.ledger().key(draw.counter()).ledgerRow();
    }

    /** The smallest last id whose next one is new to the process. */
    final long least(Draw draw) {
        return Math.max(0, draw.known() - step + 1);
    }

    /** The largest last id of a counter that has all that a draw wants; negative if none has. */
    final long most(Draw draw) {
        return draw.wanted() > Long.MAX_VALUE / step ? -1 : draw.furthest() - amount(draw);
    }

    final long amount(Draw draw) {
        return draw.wanted() * step;
    }

    /**
     * A condition on the last id {@code s.id}: it is one of this server, and the next one is above what the row
     * remembers, which may be any number.
     *
     * @param number the column of the row
     */
    final String isNextNew(String number) {
        return "s.id > " + number + " - " + step + " AND MOD(s.id, " + step + ") = "
                + table.ledger().numbering().offset() % step;
    }

    final Drawn judge(Draw draw, long number, long last) {
        return draw.judge(table.ledger().numbering(), number, last, Long.MAX_VALUE);
    }

    /** All that a draw wants, up to a last id. */
    final Drawn block(Draw draw, long last) {
        return Drawn.of(new Block(last - (draw.wanted() - 1) * step, step, draw.wanted()));
    }

    /** The rows of the ledger that nobody has locked. */
    final Set<String> free(List<Draw> draws) throws SQLException {
        List<String> names = draws.stream().map(this::rowOf).toList();
        return skipsLocked
                ? table.ledger().rows().lockFree(names).stream().map(Row::name).collect(Collectors.toSet())
                : Set.of();
    }

    /** As above, from what a look has shown. */
    final Drawn judge(Draw draw, Seen seen) {
        CounterRow row = seen.row();
        boolean isOpen = row != null
                && row.isOpen()
                && !row.isLost()
                && row.version().equals(draw.version())
                && seen.counter().isPresent();
        return isOpen ? judge(draw, row.number(), seen.counter().getAsLong()) : Drawn.REFUSED;
    }
}
