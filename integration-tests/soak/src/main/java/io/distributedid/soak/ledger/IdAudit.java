package io.distributedid.soak.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Looks at every id of a ledger in ascending order: which were given twice, and how many are missing between those that
 * were given. Progressions may overlap in any way; each id of each one is compared.
 */
public final class IdAudit {

    /** A gap of at least so many ids is a counter that was raised: no block is as large. */
    private static final long RAISED = 500_000;

    private static final int MOST_EXAMPLES = 20;

    /** An entry with the next of its ids. */
    private static final class Cursor {

        private final Entry entry;

        private long next;

        Cursor(Entry entry) {
            this.entry = entry;
            next = entry.first();
        }
    }

    private final PriorityQueue<Cursor> open =
            new PriorityQueue<>(Comparator.comparingLong((Cursor cursor) -> cursor.next));

    private final long[] lastOfCounter;

    private final List<String> examples = new ArrayList<>();

    private Entry lastEntry;

    private long last;

    private long ids;

    private long duplicates;

    private long raises;

    private long raisedBy;

    private long missing;

    private IdAudit(int counters) {
        lastOfCounter = new long[counters];
    }

    /**
     * Looks at all.
     *
     * @param entries by their first id
     * @param counters how many servers count for themselves: each has the ids of one remainder
     */
    public static IdAudit of(Iterator<Entry> entries, int counters) {
        IdAudit audit = new IdAudit(counters);
        while (entries.hasNext()) {
            Entry entry = entries.next();
            audit.giveBelow(entry.first());
            audit.open.add(new Cursor(entry));
        }
        audit.giveBelow(Long.MAX_VALUE);
        return audit;
    }

    private void giveBelow(long bound) {
        while (!open.isEmpty() && open.peek().next < bound) {
            Cursor cursor = open.poll();
            give(cursor.next, cursor.entry);
            if (cursor.next < cursor.entry.last()) {
                cursor.next += cursor.entry.step();
                open.add(cursor);
            }
        }
    }

    private void give(long id, Entry entry) {
        if (ids > 0 && id == last) {
            duplicates++;
            if (examples.size() < MOST_EXAMPLES) {
                examples.add("id=" + id + " " + lastEntry + " and " + entry);
            }
            return;
        }
        ids++;
        last = id;
        lastEntry = entry;
        int counter = (int) (id % lastOfCounter.length);
        if (lastOfCounter[counter] > 0) {
            countGap((id - lastOfCounter[counter]) / lastOfCounter.length - 1);
        }
        lastOfCounter[counter] = id;
    }

    private void countGap(long gap) {
        if (gap >= RAISED) {
            raises++;
            raisedBy += gap;
        } else {
            missing += gap;
        }
    }

    /** How many different ids there are. */
    public long ids() {
        return ids;
    }

    /** How often an id was given that had been given before. */
    public long duplicates() {
        return duplicates;
    }

    /** The first duplicates, with the calls that got them. */
    public List<String> examples() {
        return examples;
    }

    /** How often a counter was raised far. */
    public long raises() {
        return raises;
    }

    /** How many ids were left out by that. */
    public long raisedBy() {
        return raisedBy;
    }

    /** How many other ids are missing between the smallest and the largest of each counter. */
    public long missing() {
        return missing;
    }
}
