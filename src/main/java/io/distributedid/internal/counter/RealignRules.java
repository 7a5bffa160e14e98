package io.distributedid.internal.counter;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToRow;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Decides the steps of {@code repair} (the same list) and {@code move} (another list, or none) from what a look shows.
 * All servers of both lists answer. A change that is refused ends the command, except while it seals; repeated, it
 * begins again with another id.
 *
 * <ol>
 *   <li><b>Judge.</b> All headers of the old list have one token, which the application's database remembers. A member
 *       that is named may lack its header and rows, or have those of an older era: it has lost ids. What was closed for
 *       another target is refused, except by the move back. A target that has given ids is refused. A lone server that
 *       lost ids is refused unless the operator says above which id.
 *   <li><b>Close.</b> Each header by compare-and-set, with the id, a new era, the target and its token. Headers that a
 *       move makes at a target, or that a client opened there too early, are MADE until they are opened: {@code repair}
 *       of the target does not open them.
 *   <li><b>Seal.</b> Each row gets a new version and the id; its number never falls, and LOST stays LOST. A missing row
 *       of the old list is created as LOST. A row of the target is raised to the ids that only this command knows,
 *       which an operator named or a merged place gave: another command may finish the work. A row that changed
 *       meanwhile is read again, until a look shows only sealed ones.
 *   <li><b>Look and judge again.</b> If a header has another id, another command was faster. From each ticket table of
 *       the old list a number is drawn now, since a look does not show how far it is.
 *   <li><b>Remember.</b> The application's database learns the token of the target now, before anything is handed over.
 *   <li><b>Hand over.</b> The target's own headers get its token, then the servers that leave become MOVED, then those
 *       of both lists get the target's token and numbering. Only when this has ended may the target have given ids:
 *       from here on a repeated move finishes, and creates nothing.
 *   <li><b>Open.</b> Rows, raised above all that any server knows, then headers, the first place's last.
 * </ol>
 */
record RealignRules(CounterRules rules) {

    /**
     * Judges, and closes all headers. Without writes and refusals, an earlier attempt has done all.
     *
     * @param look at all servers
     * @param token random; the same for all counters
     */
    Verdict begin(RealignLook look, String token) {
        return new RealignClose(look, token).verdict();
    }

    /**
     * Seals all rows; once a look shows only sealed ones, hands over and opens. Each of the doubts names a ticket table
     * from which a number must be drawn first, see {@link RealignLook#drawn}.
     */
    Verdict go(RealignLook look, String token) {
        return new RealignOpen(rules, look, token).verdict();
    }

    /** What the new list is raised to: an id at or above all that the old one gave. */
    long above(RealignLook look) {
        return new RealignOpen(rules, look, "").above();
    }

    /**
     * As above, before anything is closed. A move may find a loss when it looks again, and a repair of ticket tables
     * when it draws.
     */
    long highest(RealignLook look) {
        return new RealignOpen(rules, look, "").highest();
    }

    /**
     * What to write next for several counters: only seals, if there are any. Otherwise, in this order, what hands over,
     * the rows, and what opens the headers. What changes a header is written once.
     */
    static List<Write> joined(Collection<Verdict> verdicts) {
        List<Write> all = verdicts.stream()
                .flatMap(verdict -> verdict.writes().stream())
                .distinct()
                .sorted(Comparator.comparingInt(RealignRules::step))
                .toList();
        return all.isEmpty() || !isSeal(all.get(0))
                ? all
                : all.stream().filter(RealignRules::isSeal).toList();
    }

    /** Whether a row is sealed, so that another look is needed. */
    static boolean isSeal(Write write) {
        return step(write) == 0;
    }

    private static int step(Write write) {
        return write.change() instanceof ToRow change
                ? change.row().isOpen() ? 2 : 0
                : write.change() instanceof ToHeader change && change.header().state() == State.OPEN ? 3 : 1;
    }
}
