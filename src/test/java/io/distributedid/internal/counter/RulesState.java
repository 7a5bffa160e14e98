package io.distributedid.internal.counter;

import io.distributedid.internal.counter.CounterRules.Known;
import io.distributedid.internal.counter.RuleTables.Draw;
import io.distributedid.internal.counter.RuleTables.Header;
import io.distributedid.internal.counter.RuleTables.Row;
import io.distributedid.internal.counter.RuleTables.Write;
import java.util.ArrayList;
import java.util.List;

/** A state of {@link RulesModel}. Whoever makes one changes a copy. */
final class RulesState implements Cloneable {

    /** A process or a command. */
    static final class Actor implements Cloneable {

        /** Its servers, an index. */
        int list;

        /** Its index, -1 if this is a process. */
        int command = -1;

        /** Of the command. */
        int id;

        Phase phase = Phase.BEGINS;

        Known known;

        /** Places that it may draw from, as bits. */
        int ready;

        /** The place that it reads next, -1 if it does not look. */
        int at = -1;

        List<RuleTables> seen = List.of();

        /** By place, what a second read showed, or null. */
        List<RuleTables> again = List.of();

        /** What a command saw before it closed. */
        List<RuleTables> first = List.of();

        /** What it still writes. */
        List<Write> writes = List.of();

        /** What an operator says, 0 if nothing. */
        int above;

        Actor copy() {
            try {
                return (Actor) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        /** Looks again, if at all. */
        void rest() {
            at = -1;
            seen = List.of();
            again = List.of();
            writes = List.of();
        }
    }

    /** How far a command has come. */
    enum Phase {
        BEGINS,
        SEALS,
        OPENS,
        REFUSED,
        ENDED
    }

    /** What each address leads to. */
    List<RuleTables> servers;

    /** What the server has for which another one stands, null if none. */
    RuleTables away;

    /** That server, or one that does not answer; -1 if none. */
    int absent = -1;

    List<Actor> actors;

    /** A request whose sender has given up, a {@link Write} or a {@link Draw}, or null. */
    Object late;

    /** Ids, as bits. */
    long given;

    /** Ids that may come twice, because nobody can notice that they were lost. */
    long excused;

    /** The token that the application's database remembers, 0 if none. */
    int place;

    /** The list that was opened last, -1 if none. */
    int current = -1;

    /** Faults that may still happen. */
    int faults;

    /** Requests that may still be late, processes that may die, and commands that may be cut off or repeated. */
    int mishaps;

    /** Raises of counters that lost ids. */
    int raises;

    /** The next random number. */
    int fresh = 1;

    RulesState copy() {
        try {
            RulesState copy = (RulesState) clone();
            copy.servers = new ArrayList<>(servers);
            copy.actors = new ArrayList<>(actors);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** A copy of the actor that belongs to this state. */
    Actor change(int actor) {
        Actor copy = actors.get(actor).copy();
        actors.set(actor, copy);
        return copy;
    }

    int highest() {
        return given == 0 ? 0 : 63 - Long.numberOfLeadingZeros(given);
    }

    /** Equal for states that differ only in random numbers, and in the order of the first two processes if alike. */
    String key() {
        String key = new Key().write(this, actors);
        if (actors.size() > 1
                && actors.get(0).list == actors.get(1).list
                && actors.get(0).command == actors.get(1).command) {
            List<Actor> exchanged = new ArrayList<>(actors);
            exchanged.set(0, actors.get(1));
            exchanged.set(1, actors.get(0));
            String other = new Key().write(this, exchanged);
            return key.compareTo(other) < 0 ? key : other;
        }
        return key;
    }

    private static final class Key {

        private final int[] names = new int[1 << 9];

        private final StringBuilder text = new StringBuilder(200);

        private int named;

        String write(RulesState state, List<Actor> actors) {
            state.servers.forEach(this::tables);
            tables(state.away);
            number(state.absent);
            actors.forEach(this::actor);
            if (state.late instanceof Draw draw) {
                number(1);
                number(draw.server());
                version(draw.version());
                number(draw.size());
                number(draw.offset());
                number(draw.known());
                draw.notes().forEach(this::number);
            } else if (state.late instanceof Write write) {
                number(2);
                write(write);
            }
            for (int part = 0; part < 4; part++) {
                text.append((char) (state.given >>> 16 * part)).append((char) (state.excused >>> 16 * part));
            }
            random(state.place);
            number(state.current);
            number(state.faults);
            number(state.mishaps);
            number(state.raises);
            return text.toString();
        }

        private void actor(Actor actor) {
            number(actor.phase.ordinal());
            random(actor.id);
            random(actor.known.token());
            number(actor.known.era());
            actor.known.versions().forEach(this::version);
            actor.known.numbers().forEach(this::number);
            number(actor.ready);
            number(actor.at);
            actor.again.forEach(this::tables);
            number(actor.above);
            number(10 * actor.seen.size() + actor.again.size());
            actor.seen.forEach(this::tables);
            actor.first.forEach(this::tables);
            number(actor.writes.size());
            actor.writes.forEach(this::write);
        }

        private void write(Write write) {
            number(write.server());
            version(write.expected());
            header(write.header());
            row(write.row());
            number(write.lostSeen() ? 1 : 0);
            number(write.counter());
            number(write.unmark());
            number(write.loss() ? 1 : 0);
            write.notes().forEach(this::number);
        }

        private void tables(RuleTables tables) {
            if (tables == null) {
                text.append('-');
                return;
            }
            number(tables.identity());
            header(tables.header());
            row(tables.row());
            tables.notes().forEach(this::number);
            number(tables.counter());
        }

        private void header(Header header) {
            if (header == null) {
                text.append('-');
                return;
            }
            version(header.version());
            number(header.state().ordinal());
            random(header.token());
            number(header.size());
            number(header.offset());
            header.members().forEach(this::number);
            number(header.era());
            random(header.command());
            number(header.target());
            random(header.next());
        }

        private void row(Row row) {
            if (row == null) {
                text.append('-');
                return;
            }
            version(row.version());
            number((row.open() ? 1 : 0) + (row.lost() ? 2 : 0));
            number(row.number());
            number(row.identity());
            number(row.era());
            random(row.command());
        }

        private void version(int version) {
            number(RuleTables.number(version));
            random(RuleTables.random(version));
        }

        private void random(int number) {
            if (number != 0 && names[number] == 0) {
                names[number] = ++named;
            }
            number(number == 0 ? 0 : names[number]);
        }

        private void number(int number) {
            text.append((char) (number + 'a'));
        }
    }
}
