package io.distributedid.internal.counter;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A state of {@link RulesModel}. Whoever makes one changes a copy. */
final class RulesState implements Cloneable {

    /** A process or a command. */
    static final class Actor implements Cloneable {

        /** Its servers, an index. */
        int list;

        /** Its index, -1 if this is a process. */
        int command = -1;

        /** Of the command. */
        String id = "";

        Phase phase = Phase.BEGINS;

        /** Of the command. */
        Task task = Task.REALIGN;

        Known known = Known.NOTHING;

        /** Places that it may draw from, as bits. */
        int ready;

        /** The place that it reads next, -1 if it does not look. */
        int at = -1;

        List<@Nullable Seen> seen = List.of();

        /** By place, what a second read showed, or null. */
        List<@Nullable Seen> again = List.of();

        /** What a command saw before it closed: for a planted error. */
        List<Seen> first = List.of();

        /** What it still writes. */
        List<Write> writes = List.of();

        /** What a command tells when it has ended a list. One that merges raises the new list above it. */
        long bound;

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

    /** What a command does now. One that merges does all of them, one after the other. */
    enum Task {
        END_OTHER,
        REALIGN
    }

    /** A request whose sender has given up: a {@link Write} or a {@link Draw}. */
    record Late(int server, Numbering numbering, Object request) {}

    /** What each address leads to. */
    List<MemoryTables> servers = List.of();

    /** What the server has for which another one stands, null if none. */
    @Nullable
    MemoryTables away;

    /** That server, or one that does not answer; -1 if none. */
    int absent = -1;

    List<Actor> actors = List.of();

    @Nullable
    Late late;

    /** Ids, as bits. */
    long given;

    /** Ids that may come twice, because nobody can notice that they were lost. */
    long excused;

    /** Ids of lists that have a {@link RulesScenario#isApart database of their own}, as bits. */
    long givenApart;

    /** What a command has told, when it ended the list: no id lies above. */
    long end = Long.MAX_VALUE;

    /** Of a list that began anew, ids lie above. */
    long least;

    /** The token that the application's database remembers; empty if none. */
    String place = "";

    /** The same, of lists that have a {@link RulesScenario#isApart database of their own}. */
    String placeApart = "";

    /** The list that was opened last, -1 if none. */
    int current = -1;

    /** A bit for each server that took another one's place and gave no id since: processes may not know it yet. */
    int strangers;

    /** Faults that may still happen. */
    int faults;

    /** Requests that may still be late, processes that may die, and commands that may be cut off or repeated. */
    int mishaps;

    /** Raises of counters that lost ids. */
    int raises;

    private int random;

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

    /** A text that was not used before. */
    String fresh() {
        return Integer.toString(RulesScenario.FIRST_RANDOM + random++);
    }

    int highest() {
        return given == 0 ? 0 : 63 - Long.numberOfLeadingZeros(given);
    }
}
