package io.distributedid.internal.counter;

import io.distributedid.internal.counter.MemoryTables.Stored;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToNote;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The key of a state: equal for states that differ only in random texts, and in the order of like processes. */
final class RulesKey {

    private static final char NOTHING = '-';

    private static final int LARGEST_CHAR = 0xff00;

    private final int[] names = new int[1 << 10];

    private final StringBuilder text = new StringBuilder(250);

    private final int offsets;

    private int named;

    private RulesKey(int offsets) {
        this.offsets = offsets;
    }

    /** @param offsets the largest of any server */
    static String of(RulesState state, int offsets) {
        List<Actor> actors = state.actors;
        String key = new RulesKey(offsets).write(state, actors);
        boolean isAlike = actors.size() > 1
                && actors.get(0).list == actors.get(1).list
                && actors.get(0).command == actors.get(1).command;
        if (!isAlike) {
            return key;
        }
        List<Actor> exchanged = new ArrayList<>(actors);
        exchanged.set(0, actors.get(1));
        exchanged.set(1, actors.get(0));
        String other = new RulesKey(offsets).write(state, exchanged);
        return key.compareTo(other) < 0 ? key : other;
    }

    private String write(RulesState state, List<Actor> actors) {
        state.servers.forEach(this::tables);
        tables(state.away);
        number(state.absent);
        actors.forEach(this::actor);
        if (state.late != null) {
            number(state.late.server());
            number(state.late.numbering().increment());
            number(state.late.numbering().offset());
            if (state.late.request() instanceof Draw draw) {
                version(draw.version());
                number(draw.known());
                notes(draw.notes());
            } else {
                write((Write) state.late.request());
            }
        }
        number(state.given);
        number(state.excused);
        random(state.place);
        number(state.givenApart);
        random(state.placeApart);
        number(state.least);
        number(state.current);
        number(state.end);
        number(state.strangers);
        number(state.faults);
        number(state.mishaps);
        number(state.raises);
        return text.toString();
    }

    private void actor(Actor actor) {
        number(actor.phase.ordinal());
        number(actor.task.ordinal());
        random(actor.id);
        random(actor.known.token());
        number(actor.known.era());
        for (int place = 0; place < offsets; place++) {
            Known.OfServer known = actor.known.servers().get(place);
            version(known == null ? null : known.version());
            number(known == null ? 0 : known.number());
            number(known == null ? 0 : known.era());
        }
        number(actor.ready);
        number(actor.at);
        number(actor.above);
        number(actor.bound);
        number(10 * actor.seen.size() + actor.again.size());
        actor.seen.forEach(this::seen);
        actor.again.forEach(this::seen);
        actor.first.forEach(this::seen);
        number(actor.writes.size());
        actor.writes.forEach(this::write);
    }

    private void write(Write write) {
        number(write.place());
        version(write.expected());
        if (write.change() instanceof ToHeader to) {
            header(to.header());
        } else if (write.change() instanceof ToNote to) {
            number(to.offset());
            note(to.number());
        } else if (write.change() instanceof ToRow to) {
            row(to.row());
            number((to.wasLost() ? 1 : 0) + (to.isLoss() ? 2 : 0));
            number(to.above().orElse(-1));
            notes(to.notes());
        }
    }

    private void tables(@Nullable MemoryTables tables) {
        if (tables == null) {
            text.append(NOTHING);
            return;
        }
        Stored stored = tables.stored(RulesScenario.COUNTER);
        identity(tables.identity());
        header(tables.header(RulesScenario.COUNTER));
        row(stored.row());
        notes(stored.notes());
        number(stored.counter().orElse(-1));
    }

    private void seen(@Nullable Seen seen) {
        if (seen == null) {
            text.append(NOTHING);
            return;
        }
        identity(seen.identity());
        header(seen.header());
        row(seen.row());
        notes(seen.notes());
        number(seen.counter().orElse(-1));
    }

    private void header(@Nullable Header header) {
        if (header == null) {
            text.append(NOTHING);
            return;
        }
        version(header.version());
        number(header.state().ordinal());
        random(header.token());
        number(header.numbering().increment());
        number(header.numbering().offset());
        header.members().forEach(this::identity);
        number(header.era());
        random(header.command());
        text.append(header.target()).append('.');
        random(header.next());
    }

    private void row(@Nullable CounterRow row) {
        if (row == null) {
            text.append(NOTHING);
            return;
        }
        version(row.version());
        number(row.isLost() ? 1 : 0);
        number(row.number());
        identity(row.identity());
        number(row.era());
        number(row.isNew() ? 1 : 0);
        random(row.isNew() ? "" : row.command());
    }

    private void notes(Map<Long, Long> notes) {
        for (long offset = 1; offset <= offsets; offset++) {
            Long note = notes.isEmpty() ? null : notes.get(offset);
            if (note == null) {
                number(-2);
            } else {
                note(note);
            }
        }
    }

    /** A note of a new row is made of the random text of its version. */
    private void note(long note) {
        boolean isOfNew = note < 0 && note > Seen.NOT_CREATED;
        number(isOfNew ? -3 : Math.max(-1, note));
        random(isOfNew ? Long.toString(-1 - note, Character.MAX_RADIX) : "");
    }

    private void version(@Nullable Version version) {
        number(version == null ? 0 : version.count());
        random(version == null ? "" : version.random());
    }

    /** The names of random texts tell only which are equal. */
    private void random(String random) {
        int number = random.isEmpty() ? 0 : Integer.parseInt(random);
        if (number != 0 && names[number] == 0) {
            names[number] = ++named;
        }
        number(names[number]);
    }

    private void identity(String identity) {
        number(Integer.parseInt(identity));
    }

    private void number(long number) {
        if (number > -'a' && number < LARGEST_CHAR) {
            text.append((char) (number + 'a'));
            return;
        }
        text.append('\uffff');
        for (int part = 0; part < 4; part++) {
            text.append((char) (number >>> 16 * part));
        }
    }
}
