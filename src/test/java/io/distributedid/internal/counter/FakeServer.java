package io.distributedid.internal.counter;

import io.distributedid.spi.Block;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/**
 * A server in memory, whose changes do what {@link CounterChange} and a sequence table do, each atomically; or a ticket
 * table, which has no row until the first draw.
 */
final class FakeServer {

    /** All that it stores. */
    record State(
            Optional<NumberingRecord> claim,
            Optional<CounterRecord> counter,
            Map<Long, Witness> witnesses,
            OptionalLong row) {

        static final State EMPTY = new State(Optional.empty(), Optional.empty(), Map.of(), OptionalLong.empty());

        State with(NumberingRecord other) {
            return new State(Optional.of(other), counter, witnesses, row);
        }

        /** Lowers no floor. */
        State with(CounterRecord other) {
            long floor =
                    Math.max(other.floor(), counter.map(CounterRecord::floor).orElse(0L));
            CounterRecord raised = new CounterRecord(other.generation(), floor, other.identity());
            return new State(claim, Optional.of(raised), witnesses, row);
        }

        State withRow(long other) {
            return new State(claim, counter, witnesses, OptionalLong.of(other));
        }

        State with(long offset, Witness witness) {
            Map<Long, Witness> more = new HashMap<>(witnesses);
            more.put(offset, witness);
            return new State(claim, counter, Map.copyOf(more), row);
        }

        long generation() {
            return counter.map(CounterRecord::generation).orElse(0L);
        }

        long highestKnown() {
            return Math.max(
                    row.orElse(0),
                    witnesses.values().stream().mapToLong(Witness::last).max().orElse(0));
        }
    }

    final int place;

    final Numbering numbering;

    private final boolean isTickets;

    boolean up = true;

    /** Connections of an older one are broken. */
    int epoch;

    String identity;

    State state = State.EMPTY;

    /** How far the row ever came. */
    long high;

    FakeServer(int place, int servers, boolean isTickets) {
        this.place = place;
        this.isTickets = isTickets;
        this.numbering = new Numbering(servers, place + 1L);
        this.identity = "original " + place;
    }

    Seen look() {
        return new Seen(
                place,
                "s" + place,
                numbering,
                identity,
                state.claim(),
                state.counter(),
                state.witnesses(),
                isTickets ? OptionalLong.of(state.row().orElse(0)) : state.row(),
                0,
                Long.MAX_VALUE,
                false,
                epoch);
    }

    boolean make(Change change) {
        Seen seen = change.seen();
        if (!up || !seen.session().equals(epoch)) {
            return false;
        }
        boolean isAsSeen = state.claim()
                        .map(NumberingRecord::generation)
                        .equals(seen.claim().map(NumberingRecord::generation))
                && state.generation() == seen.generation();
        switch (change.kind()) {
            case CLAIM -> {
                if (state.claim().isPresent()) {
                    return false;
                }
                state = state.with(new NumberingRecord(1, numbering, NumberingRecord.State.NEW, change.token()));
            }
            case OPEN -> {
                NumberingRecord claim = seen.claim().orElseThrow();
                if (state.claim().map(NumberingRecord::generation).orElse(0L) != claim.generation()) {
                    return false;
                }
                state = state.with(claim.next(numbering, NumberingRecord.State.OPEN));
            }
            case WITNESS -> {
                Witness known = state.witnesses().get(change.peer());
                if (known != null && known.isNotCreated()) {
                    state = state.with(change.peer(), new Witness(change.generation(), change.value()));
                }
            }
            case CREATE -> {
                if (!isAsSeen) {
                    return false;
                }
                create(change);
            }
            case RAISE -> {
                if (!isAsSeen) {
                    return false;
                }
                long floor = Math.max(change.value(), seen.lastOrZero());
                if (change.value() > 0 || (state.row().isEmpty() && !isTickets)) {
                    raise(change.value());
                }
                state = state.with(new CounterRecord(change.generation(), floor, seen.identity()));
                note(change.notes());
            }
            case FLOOR -> {
                if (!isAsSeen) {
                    return false;
                }
                CounterRecord old = seen.counter().orElseThrow();
                state = state.with(new CounterRecord(old.generation(), change.value(), old.identity()));
            }
        }
        return true;
    }

    private void create(Change change) {
        state = state.with(new CounterRecord(1, 0, identity));
        if (state.row().isEmpty() && !isTickets) {
            raise(change.value());
        }
        for (long offset = 1; offset <= numbering.increment() && offset <= change.peer(); offset++) {
            state = state.with(offset, new Witness(0, change.marks().contains(offset) ? Witness.NOT_CREATED : 0));
        }
    }

    /** As {@code SequenceTableCounter} does, or {@code TicketCounter}. */
    void raise(long above) {
        long last = isTickets ? numbering.atLeast(above) : numbering.before(above + 1);
        if (state.row().isEmpty() || state.row().getAsLong() < last) {
            state = state.withRow(last);
        }
        high = Math.max(high, state.row().getAsLong());
    }

    private void note(Map<Long, Witness> note) {
        note.forEach((offset, witness) -> {
            Witness known = state.witnesses().get(offset);
            if (known != null
                    && !known.isNotCreated()
                    && (known.generation() < witness.generation()
                            || known.generation() == witness.generation() && known.last() < witness.last())) {
                state = state.with(offset, witness);
            }
        });
    }

    Optional<Block> draw(long count, long own, long generation, Map<Long, Witness> note) {
        if (state.generation() != generation) {
            return Optional.empty();
        }
        if (state.row().isEmpty()) {
            return isTickets && own == 0 && !hadRow() ? drawFirst(count) : Optional.empty();
        }
        if (state.row().getAsLong() < own) {
            return Optional.empty();
        }
        long first = state.row().getAsLong() + numbering.increment();
        Block block = new Block(first, numbering.increment(), count);
        state = state.withRow(block.last());
        high = Math.max(high, block.last());
        note(note);
        return Optional.of(block);
    }

    private boolean hadRow() {
        Witness own = state.witnesses().getOrDefault(numbering.offset(), new Witness(0, 0));
        long floor = state.counter().map(CounterRecord::floor).orElse(0L);
        return Math.max(own.last(), floor) >= numbering.after(0);
    }

    /** Of a ticket table without a row. */
    private Optional<Block> drawFirst(long count) {
        Block block = new Block(numbering.after(0), numbering.increment(), count);
        state = state.withRow(block.last());
        note(Map.of(numbering.offset(), new Witness(state.generation(), numbering.after(0))));
        high = Math.max(high, block.last());
        return Optional.of(block);
    }

    boolean giveBack(Block rest, long generation) {
        CounterRecord held = state.counter().orElse(null);
        if (isTickets
                || held == null
                || held.generation() != generation
                || rest.first() - rest.step() < held.floor()
                || state.row().orElse(-1) != rest.last()) {
            return false;
        }
        state = state.withRow(rest.first() - rest.step())
                .with(new CounterRecord(generation + 1, held.floor(), held.identity()));
        return true;
    }

    @Override
    public String toString() {
        return place + " " + identity + " high=" + high + " " + state;
    }

    void crash(Random random) {
        up = random.nextBoolean();
        epoch++;
    }
}
