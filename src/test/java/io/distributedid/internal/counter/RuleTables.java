package io.distributedid.internal.counter;

import io.distributedid.internal.counter.CounterRules.Omission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What one server holds of one counter, as a look reads it in one trip, and what the server does with a request.
 *
 * @param identity of the server and the schema
 * @param header of the table of counters, or null
 * @param row of the counter in the ledger, or null
 * @param notes by place in the list: how far that server was seen; {@link #NONE}, or {@link #NOT_CREATED}
 * @param counter the last id that was drawn, or {@link #NONE}
 */
record RuleTables(int identity, Header header, Row row, List<Integer> notes, int counter) {

    static final int NONE = -1;

    /** The note that permits to create the counter on that server later. */
    static final int NOT_CREATED = -2;

    /** The lower part of a version is random. */
    private static final int RANDOM_BITS = 9;

    enum State {
        /** Made by a first use, and never opened. */
        NEW,
        OPEN,
        /** Made by a move for its target, and never opened. */
        MADE,
        /** By a command. */
        CLOSED,
        MOVED
    }

    /**
     * @param members the identities of all servers of the list
     * @param command the last that closed it, 0 if none
     * @param target the list that it may be opened for, -1 if any
     * @param next the token of the target
     */
    record Header(
            int version,
            State state,
            int token,
            int size,
            int offset,
            List<Integer> members,
            int era,
            int command,
            int target,
            int next) {

        Header in(State changed, int random) {
            return new Header(
                    RuleTables.version(version, 1, random),
                    changed,
                    token,
                    size,
                    offset,
                    members,
                    era,
                    command,
                    changed == State.OPEN ? -1 : target,
                    changed == State.OPEN ? 0 : next);
        }

        boolean numbers(int ofSize, int place) {
            return size == ofSize && offset == place + 1;
        }
    }

    /**
     * @param lost whether it is marked LOST
     * @param number never falls
     */
    record Row(int version, boolean open, boolean lost, int number, int identity, int era, int command) {}

    /**
     * A change of one row, by compare-and-set on its version; 0 if there must be none. With the ledger row of a
     * counter, its counter and notes are written in the same transaction.
     *
     * @param lostSeen the mark that the row had, which is compared too
     * @param counter is created, or raised to this; {@link #NONE} if it stays
     * @param unmark the place whose note {@link #NOT_CREATED} ends, or -1
     * @param loss whether it raises a counter that lost ids
     */
    record Write(
            int server,
            int expected,
            Header header,
            Row row,
            boolean lostSeen,
            int counter,
            List<Integer> notes,
            int unmark,
            boolean loss) {

        static Write of(int server, Header seen, Header header) {
            return new Write(
                    server, seen == null ? 0 : seen.version(), header, null, false, NONE, List.of(), -1, false);
        }

        static Write of(int server, Row seen, Row row, int counter, List<Integer> notes, boolean loss) {
            return new Write(
                    server,
                    seen == null ? 0 : seen.version(),
                    null,
                    row,
                    seen != null && seen.lost(),
                    counter,
                    notes,
                    -1,
                    loss);
        }

        static Write unmark(int server, int place) {
            return new Write(server, 0, null, null, false, NONE, List.of(), place, false);
        }
    }

    /**
     * @param known the furthest that the process knows of this server, under the version
     * @param furthest beyond it, nothing is given or written
     * @param notes how far the process has seen each server
     */
    record Draw(int server, int version, int size, int offset, int known, int furthest, List<Integer> notes) {}

    /** @param id 0 if the draw was refused */
    record Drawn(RuleTables tables, int id) {}

    static RuleTables empty(int identity, int servers) {
        return new RuleTables(identity, null, null, Collections.nCopies(servers, NONE), NONE);
    }

    static int version(int seen, int more, int random) {
        return (number(seen) + more) << RANDOM_BITS | random;
    }

    static int number(int version) {
        return version >> RANDOM_BITS;
    }

    static int random(int version) {
        return version & (1 << RANDOM_BITS) - 1;
    }

    /** The state after a change, or null if it is refused. */
    RuleTables after(Write write, Omission omission) {
        if (write.header != null) {
            boolean equal = write.expected == (header == null ? 0 : header.version);
            return equal ? new RuleTables(identity, write.header, row, notes, counter) : null;
        }
        if (write.row == null) {
            return notes.get(write.unmark) == NOT_CREATED
                    ? new RuleTables(identity, header, row, replaced(write.unmark, 0), counter)
                    : null;
        }
        if (write.expected != (row == null ? 0 : row.version) || (row != null && row.lost != write.lostSeen)) {
            return null;
        }
        int number = row == null || omission == Omission.GREATEST
                ? write.row.number
                : Math.max(row.number, write.row.number);
        Row written = new Row(
                write.row.version,
                write.row.open,
                write.row.lost,
                number,
                write.row.identity,
                write.row.era,
                write.row.command);
        boolean anew = row == null || row.era < write.row.era;
        List<Integer> noted = write.notes.isEmpty() ? notes : anew ? write.notes : noted(write.notes);
        return new RuleTables(identity, header, written, noted, Math.max(counter, write.counter));
    }

    /** In a ticket table, a draw moves the counter also if it is refused. */
    Drawn draw(Draw draw, boolean tickets, Omission omission) {
        if (counter == NONE) {
            return new Drawn(this, 0);
        }
        int id = after(counter, draw.size, draw.offset);
        RuleTables moved = tickets ? counter(id) : this;
        boolean fenced = row != null
                && row.open
                && !row.lost
                && (row.version == draw.version || omission == Omission.VERSION_IN_DRAW);
        if (!fenced || id > draw.furthest) {
            return new Drawn(moved, 0);
        }
        if (id <= row.number || id <= draw.known) {
            return new Drawn(tickets && omission != Omission.MARK_LOST ? moved.lost() : moved, 0);
        }
        Row drawn = new Row(row.version, true, false, id, row.identity, row.era, row.command);
        return new Drawn(new RuleTables(identity, header, drawn, noted(draw.notes), id), id);
    }

    static int after(int counter, int size, int offset) {
        int id = counter + 1;
        while (id % size != offset % size) {
            id++;
        }
        return id;
    }

    int era() {
        return Math.max(header == null ? 0 : header.era, row == null ? 0 : row.era);
    }

    RuleTables counter(int changed) {
        return new RuleTables(identity, header, row, notes, changed);
    }

    RuleTables row(Row changed) {
        return new RuleTables(identity, header, changed, notes, counter);
    }

    RuleTables header(Header changed) {
        return new RuleTables(identity, changed, row, notes, counter);
    }

    RuleTables identity(int changed) {
        return new RuleTables(changed, header, row, notes, counter);
    }

    private RuleTables lost() {
        return row(new Row(row.version, row.open, true, row.number, row.identity, row.era, row.command));
    }

    private List<Integer> noted(List<Integer> seen) {
        List<Integer> all = new ArrayList<>(notes);
        for (int place = 0; place < seen.size(); place++) {
            all.set(place, seen.get(place) >= 0 ? Math.max(all.get(place), seen.get(place)) : all.get(place));
        }
        return all;
    }

    private List<Integer> replaced(int place, int note) {
        List<Integer> all = new ArrayList<>(notes);
        all.set(place, note);
        return all;
    }
}
