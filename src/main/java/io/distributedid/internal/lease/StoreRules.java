package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Verdict;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides from one look at a store of leases whether rights may be claimed there. It changes nothing, and knows of
 * other processes only by what it sees. The test {@code StoreModel} explores these rules together with
 * {@link LeaseProtocol} and {@link StoreCommand}:
 *
 * <ul>
 *   <li><b>Who begins a store.</b> The first process, if the place is marked as just created, see
 *       {@link io.distributedid.internal.ledger.Ledger#STORE}; or the command {@code init}. Without a header it is
 *       refused by everybody.
 *   <li><b>Another store.</b> A process that knows a header gets nothing from a store without one, or with another
 *       token. It goes on in the rights that it holds, and changes nothing there.
 *   <li><b>A loss</b>, under the same token: a row that this process knows is missing, or has an older version, or one
 *       of another history; a row below the header's counts is missing, which a process sees that has just started. It
 *       counts only after a second, synchronised read of all rows: if some were told of later, the wait would begin
 *       anew.
 *   <li><b>What follows.</b> Whoever finds it, and whose clock is near the store's, writes the store's time into the
 *       header, whatever its state, and what it knows of an earlier one: the longest window, and the numbers that were
 *       taken for a single use. A process whose own row is lost ends its right at once. Rights whose rows are there go
 *       on and are renewed. None is claimed before {@link StoreHeader#opens}: by then all that was lost has ended by
 *       all clocks. A second loss begins the wait anew.
 *   <li><b>After the wait</b>, whoever looks creates the rows that are missing, and then ends the loss in the header;
 *       but only on the server that the header names. A copy of the store elsewhere would open itself: there, and if
 *       the loss shall end on another server, {@code repair} names that one.
 *   <li><b>Another layout</b> is given to a sequence while no process runs. A process that knows the store from before
 *       was forgotten: it began with the old layout, and gets nothing there any more.
 *   <li><b>Fixed rows.</b> Rows are created free, and then counted in the header. One beyond its count is not used.
 * </ul>
 */
public final class StoreRules {

    /** How many rows of worker numbers are created at a time. */
    static final long ROWS = 64;

    private StoreRules() {}

    /** What follows from a look. */
    public sealed interface Decision {}

    /**
     * A row is not as it is known, or a loss is over: read again, synchronised, and decide from that.
     *
     * @param more names to read besides those that were asked for
     */
    public record ReadAgain(List<String> more) implements Decision {}

    /**
     * Make these changes, and look again.
     *
     * @param lost the names of rows that are lost, if the first change tells others of that. If it is done, forget what
     *     is known of rows, learn the page, and make the other changes
     */
    public record Write(List<Change> changes, List<String> lost) implements Decision {}

    /** Rights may be claimed. */
    public record Open(StoreHeader header) implements Decision {}

    /** No right may be claimed now. Those that are held may be renewed unless this is another store. */
    public record Refused(Reason reason, Page page) implements Decision {}

    /** Why no right may be claimed. */
    public enum Reason {
        /** It has no header. */
        NEVER_USED,
        /** It has no header, or another token, and this process knows another one. */
        OTHER_STORE,
        /** A layout was changed since this process knows the store. */
        OTHER_LAYOUT,
        /** Rows were lost, and rights may last. */
        LOST,
        /** The same, and it opens only on another server. */
        LOST_ELSEWHERE,
        CLOSED,
        MADE,
        MOVED;

        /** Whether this is not the store that the process knows, or not as it began with it. */
        boolean isOther() {
            return this == NEVER_USED || this == OTHER_STORE || this == OTHER_LAYOUT;
        }
    }

    /** The names of all rows. */
    static Set<String> all(@Nullable StoreHeader header) {
        Stream<String> others = header == null ? Stream.of() : counted(header);
        return Stream.concat(Stream.of(StoreHeader.NAME), others).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The names of all rows but the header's. */
    static Stream<String> counted(StoreHeader header) {
        return Stream.of(
                        LongStream.range(0, header.workers()).mapToObj(StoreHeader::worker),
                        LongStream.range(0, header.layouts()).mapToObj(StoreHeader::layout),
                        Stream.of(StoreHeader.STRICT).filter(strict -> header.layouts() > 0))
                .flatMap(Function.identity());
    }

    /**
     * Decides from a page that was asked for after {@code known} was taken.
     *
     * @param asked the names that were read, with that of the header, and to claim a worker number all that it counts
     * @param server the identity of the server that was read; empty if that is unknown
     * @param isSynchronised whether the page shows all that was committed before it was read
     * @param begins with which a new store begins
     * @param random for versions
     */
    public static Decision decide(
            Page page,
            Collection<String> asked,
            Known known,
            String server,
            boolean isSynchronised,
            StoreHeader.Terms begins,
            String random) {
        Verdict verdict = known.judge(page, asked, isSynchronised);
        Row row = page.rows().get(StoreHeader.NAME);
        if (verdict instanceof Verdict.Stale) {
            return new ReadAgain(List.of());
        }
        boolean isKnown = known.rows().containsKey(StoreHeader.NAME);
        boolean isNew = row != null && row.state() == Row.State.NEW;
        if (row == null || verdict instanceof Verdict.OtherStore || (isNew && isKnown)) {
            return new Refused(isKnown ? Reason.OTHER_STORE : Reason.NEVER_USED, page);
        }
        if (isNew) {
            StoreHeader first = StoreHeader.first(random, server, begins, random);
            return new Write(List.of(first.begin(row)), List.of());
        }
        StoreHeader header = new StoreHeader(row);
        if (isKnown && header.changes() > new StoreHeader(known.rows().get(StoreHeader.NAME)).changes()) {
            return new Refused(Reason.OTHER_LAYOUT, page);
        }
        if (header.state() == Row.State.MADE) {
            return new Refused(Reason.MADE, page);
        }
        boolean isWhole = isSynchronised && counted(header).allMatch(asked::contains);
        List<String> missing = missing(page, asked, header);
        List<String> doubted = verdict instanceof Verdict.Loss loss
                ? loss.doubts().stream().map(doubt -> doubt.known().name()).toList()
                : List.of();
        List<String> lost =
                Stream.concat(doubted.stream(), missing.stream()).distinct().toList();
        if (!lost.isEmpty()) {
            return isWhole ? new Write(loss(header, page, known, missing, random), lost) : whole(header);
        }
        return header.state() == Row.State.OPEN
                ? ofOpen(header, page, isWhole, server, random)
                : new Refused(Reason.valueOf(header.state().name()), page);
    }

    /** Tells of a loss, and creates what is missing. Its bound lies after all that was lost. */
    private static List<Change> loss(StoreHeader header, Page page, Known known, List<String> missing, String random) {
        Row before = known.rows().get(StoreHeader.NAME);
        StoreHeader told =
                header.after(before == null ? header : new StoreHeader(before)).lostSince(page.time());
        return Stream.concat(
                        Stream.of(told.change(random)), missing.stream().map(name -> free(name, told.opens(), random)))
                .toList();
    }

    private static Decision whole(StoreHeader header) {
        return new ReadAgain(counted(header).toList());
    }

    private static Decision ofOpen(StoreHeader header, Page page, boolean isWhole, String server, String random) {
        if (header.lost() == 0) {
            return new Open(header);
        }
        if (!isOn(header, server)) {
            return new Refused(Reason.LOST_ELSEWHERE, page);
        }
        if (!isOver(header, page)) {
            return new Refused(Reason.LOST, page);
        }
        return isWhole ? new Write(List.of(header.lostSince(0).change(random)), List.of()) : whole(header);
    }

    /** Whether all that was lost has ended. */
    static boolean isOver(StoreHeader header, Page page) {
        return page.time() >= header.opens();
    }

    /** Whether a server may be the one that the header names. */
    static boolean isOn(StoreHeader header, String server) {
        return header.server().isEmpty() || server.isEmpty() || header.server().equals(server);
    }

    private static List<String> missing(Page page, Collection<String> asked, StoreHeader header) {
        return counted(header)
                .filter(name -> asked.contains(name) && !page.rows().containsKey(name))
                .toList();
    }

    /** A row that nobody holds. */
    static Change free(String name, long bound, String random) {
        return Change.create(name, random, bound, Row.State.NONE, Fields.NONE);
    }

    /**
     * The changes that bring more rows of worker numbers; empty if there are enough, or numbers are taken for a single
     * use. If the rows are there already, the header counts them.
     *
     * @param page with the header, and the rows from its count on, as far as they are there
     * @param first the lowest number that is wanted
     * @param last the highest one
     */
    public static List<Change> more(StoreHeader header, Page page, long first, long last, String random) {
        long count = count(header, first, last);
        if (count <= header.workers() || header.burnt() > 0) {
            return List.of();
        }
        List<Change> rows = next(header, first, last)
                .filter(name -> !page.rows().containsKey(name))
                .map(name -> free(name, 0, random))
                .toList();
        return rows.isEmpty() ? List.of(header.workers(count).change(random)) : rows;
    }

    /** How many there are then. */
    private static long count(StoreHeader header, long first, long last) {
        return Math.min(last + 1, Math.max(header.workers(), first) + ROWS);
    }

    /** The rows that {@link #more} may create. */
    static Stream<String> next(StoreHeader header, long first, long last) {
        return LongStream.range(header.workers(), count(header, first, last)).mapToObj(StoreHeader::worker);
    }

    /** The row of the layout of a sequence; empty if there is none that the header counts. */
    static Optional<Row> layout(Page page, String sequence) {
        StoreHeader header = StoreHeader.of(page);
        return LongStream.range(0, header == null ? 0 : header.layouts())
                .mapToObj(each -> page.rows().get(StoreHeader.layout(each)))
                .filter(row -> row != null
                        && row.text()
                                .get(LeaseClient.SEQUENCE)
                                .filter(sequence::equals)
                                .isPresent())
                .findFirst();
    }

    /**
     * The changes that record a layout, and then count it. Before the first one there is the row for strict order.
     *
     * @param page with the header, that row, and the one of the next layout, as far as they are there
     * @param text of a new row
     */
    static List<Change> layout(StoreHeader header, Page page, Fields text, String random) {
        String name = StoreHeader.layout(header.layouts());
        if (!page.rows().containsKey(StoreHeader.STRICT)) {
            return List.of(free(StoreHeader.STRICT, 0, random));
        }
        return List.of(
                page.rows().containsKey(name)
                        ? header.layouts(header.layouts() + 1).change(random)
                        : Change.create(name, random, 0, Row.State.NONE, text));
    }
}
