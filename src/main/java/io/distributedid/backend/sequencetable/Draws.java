package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterRow;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Drawn;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.Seen;
import io.distributedid.internal.counter.sql.SkipLocked;
import io.distributedid.internal.jdbc.InList;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Draws from the counters of one table on one connection, see {@link SequenceTableSession}. What differs by product is
 * {@link #attempt}.
 */
abstract class Draws {

    final CounterTable table;

    /** The distance between two ids of the server. */
    final long step;

    private final Optional<SkipLocked> skip;

    Draws(CounterTable table) throws SQLException {
        this.table = table;
        this.step = table.numbering().increment();
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
                + table.numbering().offset() % step;
    }

    /**
     * What a draw gets from an open row. This is the rule that every statement of a draw repeats. A block ends where
     * the column ends.
     *
     * @param number of the row
     * @param counter the last id that was drawn
     */
    final Drawn judge(Draw draw, long number, long counter) {
        Numbering numbering = table.numbering();
        if (counter <= Math.max(number, draw.known()) - step
                || counter > draw.furthest()
                || !numbering.holds(counter)) {
            return Drawn.REFUSED;
        }
        long count = Math.min(draw.wanted(), (Long.MAX_VALUE - counter) / step);
        if (count < 1) {
            return Drawn.EXHAUSTED;
        }
        Block block = new Block(counter + step, step, count);
        return block.last() <= draw.furthest() ? Drawn.of(block) : Drawn.REFUSED;
    }

    /** All that a draw wants, up to a last id. */
    final Drawn block(Draw draw, long last) {
        return Drawn.of(new Block(last - (draw.wanted() - 1) * step, step, draw.wanted()));
    }

    /** The rows of the ledger that nobody has locked. */
    final Set<String> free(List<Draw> draws) throws SQLException {
        Set<String> free = new HashSet<>();
        if (skip.isPresent()) {
            table.query(
                    "SELECT name FROM " + skip.get().byPrimaryKey(table.sql().table()) + " WHERE name "
                            + InList.of(draws.size()) + skip.get().update(),
                    draws.stream().map(this::rowOf).toList(),
                    row -> free.add(row.getString(1)));
        }
        return free;
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
