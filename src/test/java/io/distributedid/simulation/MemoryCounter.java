package io.distributedid.simulation;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.CounterRecord;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.StoredCounter;
import io.distributedid.internal.counter.Witness;
import io.distributedid.internal.counter.WitnessNote;
import io.distributedid.spi.Block;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A row of a sequence table, or a ticket table, with the conditions and effects of its SQL. A ticket table has no row
 * before its first draw, which writes into the record that ids were given; later rows never go back.
 */
final class MemoryCounter implements StoredCounter {

    private static final long REFUSED = -1;

    private static final long FULL = -2;

    private final MemorySession session;

    private final MemoryKey key;

    private final MemoryRecord record;

    MemoryCounter(MemorySession session, MemoryKey key) {
        this.session = session;
        this.key = key;
        this.record = new MemoryRecord(session, key);
    }

    @Override
    public MemoryRecord record() {
        return record;
    }

    @Override
    public String identity() {
        return session.identity();
    }

    @Override
    public String storedName() {
        return key.rowName();
    }

    @Override
    public long largest() {
        return session.setup().columnEnd(key.sequence());
    }

    @Override
    public OptionalLong last() throws SQLException {
        OptionalLong last = session.trip("last id of", key, on -> {
            Long id = on.stored().row(key.key());
            if (id == null) {
                return key.isTicketTable() ? OptionalLong.of(0) : OptionalLong.empty();
            }
            return OptionalLong.of(id);
        });
        session.saw(key, last.orElse(0));
        return last;
    }

    @Override
    public void raise(long above) throws SQLException {
        Numbering numbering = session.numbering();
        long last = key.isTicketTable() ? (above > 0 ? numbering.atLeast(above) : 0) : numbering.before(above + 1);
        boolean unused = session.trip("raise above " + above, key, on -> {
            Long id = on.stored().row(key.key());
            boolean isNeeded = id == null ? !key.isTicketTable() || last > 0 : id < last;
            if (isNeeded) {
                on.put(on.stored().withRow(key.key(), last));
                session.raised(last - (id == null ? 0 : id));
            }
            return isNeeded;
        });
    }

    /** The draw of a sequence table is one statement, its note another; that of a ticket table is one transaction. */
    @Override
    public Optional<Block> reserve(Draw draw) throws SQLException {
        Numbering numbering = session.numbering();
        long step = numbering.increment();
        long last = key.isTicketTable()
                ? session.script("draw " + draw.wanted() + " of", key, () -> drawTicket(draw, step))
                : session.trip("draw " + draw.wanted() + " of", key, on -> add(on, draw, step));
        if (last == FULL) {
            throw new IdsExhaustedException("The column is full: " + key);
        }
        if (last == REFUSED) {
            return Optional.empty();
        }
        long first = last - (draw.wanted() - 1) * step;
        if (!numbering.holds(last) || first < 1) {
            throw new IdConfigurationException(
                    "A row has a value that this server never gives: " + key + " id=" + last);
        }
        if (draw.note().isPresent() && !key.isTicketTable()) {
            record.write(draw.note().get());
        }
        session.drew(key, last);
        return Optional.of(new Block(first, step, draw.wanted()));
    }

    private long drawTicket(Draw draw, long step) throws SQLException {
        return session.trip("", "", on -> {
            boolean isFirst = on.stored().row(key.key()) == null;
            if (isFirst) {
                if (draw.lastKnown() > 0 || hadRow(on.stored())) {
                    return REFUSED;
                }
                on.put(on.stored().withRow(key.key(), session.numbering().offset() - step));
            }
            long last = add(on, draw, step);
            Optional<WitnessNote> note = isFirst ? Optional.of(firstNote(draw)) : draw.note();
            if (last > 0 && note.isPresent()) {
                record.write(note.get());
            }
            if (last < 0 && isFirst) {
                on.put(on.stored().withoutRow(key.key()));
            }
            return last;
        });
    }

    /** Says that ids were given: from then on, a missing row is a lost one. */
    private WitnessNote firstNote(Draw draw) {
        Map<Long, Witness> witnesses = new HashMap<>();
        draw.note().ifPresent(other -> witnesses.putAll(other.witnesses()));
        Numbering numbering = session.numbering();
        witnesses.put(numbering.offset(), new Witness(draw.fence().generation(), numbering.after(0)));
        return new WitnessNote(draw.fence().table(), draw.fence().key(), witnesses);
    }

    /** Whether the record says that the table gave numbers. */
    private boolean hadRow(Stored stored) {
        Numbering numbering = session.numbering();
        Witness own = stored.witnesses(key.key()).getOrDefault(numbering.offset(), new Witness(0, 0));
        return Math.max(own.last(), stored.floor(key.key())) >= numbering.after(0);
    }

    private Long add(MemoryServer on, Draw draw, long step) {
        Stored stored = on.stored();
        Long id = stored.row(key.key());
        CounterRecord held = stored.records().get(draw.fence().key());
        boolean isFenced = held == null || held.generation() != draw.fence().generation();
        if (id == null || (draw.lastKnown() > 0 && id < draw.lastKnown()) || isFenced) {
            return REFUSED;
        }
        long last = id + draw.wanted() * step;
        if (last > largest()) {
            return FULL;
        }
        on.put(stored.withRow(key.key(), last));
        return last;
    }

    @Override
    public boolean giveBack(Block rest) throws SQLException {
        return session.trip("give back", rest, on -> {
            Long id = on.stored().row(key.key());
            if (id == null || id != rest.last()) {
                return false;
            }
            on.put(on.stored().withRow(key.key(), rest.first() - rest.step()));
            return true;
        });
    }

    @Override
    public <T> T inTransaction(Work<T> work) throws SQLException {
        return session.inTransaction(work);
    }
}
