package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Refusal.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides from one look at all servers of a list what must change before ids may be drawn, or why none may. It changes
 * nothing, and knows of other processes only by what it sees. The rules hold together as the test {@code RulesModel}
 * explores them:
 *
 * <ul>
 *   <li><b>One speaks of itself last.</b> Each server is read once. What others say against one (a note above its
 *       number, a row or a header that it lacks, a newer era) is a verdict only after that server was read once more;
 *       what a second read says of others is not asked. Otherwise a draw between two reads looks like a loss.
 *   <li><b>First use.</b> All servers answer. The header of the first place is created with a random token, then the
 *       others with that. Every header names the identities of all members. They are opened, the first place's last,
 *       once a look has seen all with one token and these members. A used counter beside an unused one is refused.
 *   <li><b>Members.</b> A process that knows nothing yet is refused by all if a server of its list has no header and is
 *       named by none: its list is another one, and it does not see the notes of the true peer. Whoever accepts another
 *       identity first writes it into all open headers that it sees: if that server loses all later, it is still known.
 *   <li><b>New counter.</b> A row is created NEW, which gives no ids, and notes that the others are not created. That
 *       note ends by naming the new row of the other one; then this is opened. A new row that a note does not name is a
 *       loss. Whoever stops in between leaves what others go on with, once another server with the row answers. A
 *       server that is alone when the row is created opens it at once.
 *   <li><b>Loss.</b> The mark LOST; no row beside one that knows of it; no counter; a counter whose next id lies at or
 *       below the number (not of tickets); an older version of the era, or a lower number, than this process knows; a
 *       number below a peer's note; another identity than the row's.
 *   <li><b>What follows.</b> With a peer, or with another identity: a raise by twice the distance above all that is
 *       known, once, with a version that skips what may have been lost. Alone: refused, and marked LOST, so that a
 *       process which starts is refused, too. A server that merely lags is raised to what is known. {@link Failover}
 *       tells what follows from another identity alone.
 *   <li><b>Bounds.</b> A counter further than 1,000 distances above all that is known is refused, and not followed. So
 *       is one whose last id belongs to another server. Nothing is raised beyond the end of a column.
 *   <li><b>Era.</b> Each realignment begins a new one. A header or a row with an older era than any that was seen is
 *       refused, never raised.
 *   <li><b>Draw.</b> It compares the row's version and state, and gives an id only above the row's number and above
 *       what the process knows. In the same transaction it writes its id and what it knows of the others. A new
 *       connection begins with a look, and a broken one ends a look and the changes that follow.
 *   <li><b>Place.</b> Before its first draw, a process compares the token with the one that the application's database
 *       remembers.
 *   <li><b>Minimum.</b> What is left then is raised above what the application asks for, or refused if it would give
 *       ids that exist.
 * </ul>
 *
 * @param maxDistance a server that lies further behind the others is raised; one that lost ids is raised by twice as
 *     much
 * @param failover what to do when another server has taken a server's place
 */
public record CounterRules(long maxDistance, Failover failover) {

    /** How many times {@link #maxDistance} a counter may be raised, or seen ahead, without an operator. */
    private static final long AUTOMATIC = 1_000;

    /** The least distance: a few blocks fit in. */
    static final long LEAST = 1_000_000;

    /** The largest distance, and the largest bound: leaves room for 2^62 ids above. */
    static final long MOST = 1L << 60;

    /**
     * Judges a look. If there are doubts, read those servers once more, and ask again with what was read then.
     *
     * @param first by place: what the first read showed; null if the server did not answer
     * @param seen by place: the same, or what a second read showed
     * @param known of this counter
     * @param minimum what the application asks for
     * @param token random, for versions and a new table; the same for all counters of one look, so that their writes to
     *     the table's header are equal
     */
    public Verdict plan(
            CounterKey counter,
            List<@Nullable Seen> first,
            List<@Nullable Seen> seen,
            Known known,
            Minimum minimum,
            String token) {
        Judgement judgement = new Judgement(counter, first, seen, known, token);
        HeaderRules headers = new HeaderRules(judgement);
        headers.judge();
        if (judgement.writes.isEmpty()) {
            headers.nameMembers(failover != Failover.REFUSE);
            new RowRules(this, judgement, minimum).judge();
        }
        return judgement.verdict();
    }

    /** The furthest id that a draw may give: beyond it, a counter was changed by hand. */
    public long furthest(Known known) {
        return furthest(known.furthest());
    }

    /** The furthest that a counter may lie if ids up to {@code known} are known. */
    long furthest(long known) {
        return sum(known, maxDistance > MOST / AUTOMATIC ? MOST : maxDistance * AUTOMATIC);
    }

    /** How far a counter is raised that has lost ids. */
    long beyondLoss(long known) {
        return sum(sum(known, maxDistance), maxDistance);
    }

    private static long sum(long known, long more) {
        return known > Long.MAX_VALUE - more ? Long.MAX_VALUE : known + more;
    }

    /** Whether what a server holds shows that it lost ids, without what others say. */
    static boolean hasLost(Seen seen) {
        CounterRow row = seen.row();
        if (row == null) {
            return false;
        }
        Header header = seen.header();
        Numbering numbering = header == null ? seen.numbering() : header.numbering();
        return row.isLost()
                || seen.counter().isEmpty()
                || (!seen.isBlind() && isNextUpTo(numbering, seen.position(), row.number()));
    }

    /** Whether the server's next number after {@code last} lies at or below an id. */
    static boolean isNextUpTo(Numbering numbering, long last, long id) {
        return last < id && numbering.after(last) <= id;
    }

    /**
     * Whether another server, or another schema, has taken the place of the row's. An identity that the user has no
     * right to read does not count as another one.
     */
    static boolean isOther(Seen seen) {
        return seen.row() != null
                && !seen.identity().isEmpty()
                && !seen.row().identity().isEmpty()
                && !seen.identity().equals(seen.row().identity());
    }

    /** What a row is written with: an identity that is unknown now keeps the known one. */
    static String identity(Seen seen) {
        return seen.identity().isEmpty() && seen.row() != null ? seen.row().identity() : seen.identity();
    }

    /**
     * How far a server says that ids may have been given, by itself and others, without its counter if that is too far
     * ahead.
     */
    long reached(Seen seen) {
        long known = seen.notes().values().stream()
                .reduce(seen.row() == null ? 0 : seen.row().number(), Math::max);
        return seen.position() > furthest(known) ? known : Math.max(known, seen.position());
    }

    static Refusal lostAlone(int place, Seen seen, long known) {
        String last = seen.counter().isPresent() ? Long.toString(seen.counter().getAsLong()) : "missing";
        return Refusal.of(Kind.LOST_ALONE, place, last, known);
    }

    /** Whether a counter can't be raised above this, since its server has no id left in its column then. */
    static boolean isBeyondEnd(Seen seen, long above) {
        return above > seen.counter().orElse(0) && above > highestRaise(seen);
    }

    private static long highestRaise(Seen seen) {
        return seen.largest() - seen.numbering().increment();
    }

    static Refusal noRoom(int place, Seen seen, long above) {
        return Refusal.of(Kind.NO_ROOM, place, above, highestRaise(seen));
    }
}
