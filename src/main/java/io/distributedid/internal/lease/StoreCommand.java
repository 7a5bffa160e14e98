package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreRules.Reason;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Row.State;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an operator's command does next to a store of leases, as pure functions of what it sees. The caller makes the
 * changes and looks again, synchronised, until the command has ended. Each change is a compare-and-set, so any step may
 * be repeated, by this command or another one after it was cut off.
 *
 * <p><b>Closing.</b> No change is conditional on the header, since that is no fence on most servers. So a command
 * closes the header, and then <em>seals</em> the rows: it replaces each by one with a new version and its own id, which
 * keeps bound, owner and lease. What was on its way is then refused by its row. Only what a look shows after that
 * counts.
 *
 * <p><b>A move</b>, while no process runs:
 *
 * <ol>
 *   <li>A header in the state MADE is written at the target. It names the source by its token.
 *   <li>The source is closed. Its header notes the target, and the version of the header there.
 *   <li>The rows of the source are sealed, and copied with that seal. Copies of an earlier move bear another one.
 *   <li>The source is MOVED: from then on it is never opened again but by a move back.
 *   <li>Exactly the header that the source notes is opened, or one that another run of this move has made over it while
 *       all rows bear the source's seal. A target that was used or emptied meanwhile has another one.
 * </ol>
 *
 * <p>A command is refused where a process would be, with the same words; while rights last; and if it can't end.
 *
 * @param id random; of this run of the command
 * @param label names the store in messages
 */
public record StoreCommand(String id, String label) {

    /** One step. */
    public sealed interface Step {}

    /** Make these changes, and look again. */
    public record Make(List<Change> source, List<Change> target) implements Step {

        static Make of(Change change) {
            return new Make(List.of(change), List.of());
        }
    }

    /** The command was refused, and has changed nothing, or nothing that the next one does not make up for. */
    public record Refused(String why) implements Step {}

    /** Look again after this time. */
    public record Wait(long millis) implements Step {}

    /** @param opens when rights may be claimed, by the store's clock; 0 if at once */
    public record Done(long opens) implements Step {}

    private Refused refused(Reason reason, Page page) {
        return new Refused(StoreTexts.refused(new StoreRules.Refused(reason, page), label));
    }

    /**
     * Begins a store, or changes its windows. What was lost before, if this one was emptied, must have ended before it
     * opens. How long that is nobody knows but the operator.
     *
     * @param isGiven whether the operator says how long windows are; if not, a new store begins with {@code terms}
     * @param random for versions
     */
    public Step init(Page page, String server, StoreHeader.Terms terms, boolean isGiven, String random) {
        StoreHeader header = StoreHeader.of(page);
        if (header == null) {
            StoreHeader first = StoreHeader.first(id, server, terms, id);
            boolean isCreated = page.rows().containsKey(StoreHeader.NAME);
            return isCreated || isGiven
                    ? Make.of(begin(page, isCreated ? first : first.lostSince(page.time())))
                    : new Refused(
                            "The store of leases was emptied, and no longer knows how long its windows were: " + label
                                    + ". Set distributedid.snowflake.lease.window to the longest one that it ever had; 60s if"
                                    + " none was set");
        }
        return isGiven
                ? change(page, server, Map.of(), 0, open -> open.windows(terms), random)
                : new Done(header.opens());
    }

    /** The change that writes the first header of a place, which may be marked as just created. */
    private static Change begin(Page page, StoreHeader first) {
        Row created = page.rows().get(StoreHeader.NAME);
        return created == null ? first.create() : first.begin(created);
    }

    /**
     * Ends a loss that would wait for ever, on the server that answers; also what a command has left closed. Then
     * creates the rows that are missing.
     */
    public Step repair(Page page, String server, String random) {
        StoreHeader header = StoreHeader.of(page);
        if (header == null || header.state() == State.MADE || header.state() == State.MOVED) {
            return unusable(page, header);
        }
        if (header.state() != State.OPEN || !header.command().equals(id)) {
            return Make.of(header.on(server)
                    .lostSince(page.time())
                    .in(State.OPEN)
                    .by(id, "")
                    .change(random));
        }
        // Else the next start would find them missing, and begin the wait anew. What goes after the wait is a new loss.
        List<Change> missing = missing(page, header, random);
        return header.lost() == 0 || missing.isEmpty() ? new Done(header.opens()) : new Make(missing, List.of());
    }

    /**
     * The changes that create rows which the header counts; no right of theirs begins before what was lost has ended.
     */
    private static List<Change> missing(Page page, StoreHeader header, String random) {
        return StoreRules.counted(header)
                .filter(name -> !page.rows().containsKey(name))
                .map(name -> StoreRules.free(name, header.opens(), random))
                .toList();
    }

    /**
     * Changes a store while nothing is leased.
     *
     * @param page all rows
     * @param server the identity of the server; empty if that is unknown
     * @param texts what rows shall say, by name: a layout is changed
     * @param from no right is claimed before, by the store's clock, even by a process whose clock is behind
     * @param opened changes the header when it is opened
     * @param random for versions
     */
    public Step change(
            Page page,
            String server,
            Map<String, Fields> texts,
            long from,
            UnaryOperator<StoreHeader> opened,
            String random) {
        StoreHeader header = StoreHeader.of(page);
        if (header != null
                && header.state() == State.OPEN
                && (header.command().equals(id) || isAsWanted(page, header, texts, opened))) {
            return new Done(header.opens());
        }
        int changes = texts.isEmpty() ? 0 : 1;
        Step first = first(page, header, server, changes, random);
        if (first != null || header == null) {
            return first == null ? unusable(page, null) : first;
        }
        if (page.time() - header.skew() < from) {
            return new Wait(from - page.time() + header.skew());
        }
        Step closing = closing(page, header, "", changes, random);
        if (closing != null) {
            return closing;
        }
        List<Change> rows = page.rows().values().stream()
                .filter(row -> texts.containsKey(row.name()))
                .filter(row -> !row.text().equals(sealed(texts.get(row.name()))))
                // The next change must know of the ids that it had until now.
                .map(row -> Change.replace(
                        row, random, Math.max(row.number(), from), row.state(), sealed(texts.get(row.name()))))
                .toList();
        return rows.isEmpty() ? Make.of(opened.apply(header).in(State.OPEN).change(random)) : new Make(rows, List.of());
    }

    private static boolean isAsWanted(
            Page page, StoreHeader header, Map<String, Fields> texts, UnaryOperator<StoreHeader> opened) {
        return texts.isEmpty()
                ? opened.apply(header).row().equals(header.row())
                : texts.entrySet().stream()
                        .allMatch(each -> page.row(each.getKey()).text().equals(each.getValue()));
    }

    /** Of a store that neither a process nor a command may use. */
    private Refused unusable(Page page, @Nullable StoreHeader header) {
        return refused(
                header == null
                        ? Reason.NEVER_USED
                        : Reason.valueOf(header.state().name()),
                page);
    }

    /**
     * What comes before all else: a loss that is over is made up for, since nobody else does that while all processes
     * are stopped; and the command ends if it may not begin, or go on. Null if neither is so.
     *
     * @param changes what it has added to those of the header
     */
    private @Nullable Step first(Page page, @Nullable StoreHeader header, String server, int changes, String random) {
        if (header == null || header.state() == State.MADE || header.state() == State.MOVED) {
            return unusable(page, header);
        }
        boolean isOn = StoreRules.isOn(header, server);
        if (header.lost() != 0 && isOn && StoreRules.isOver(header, page)) {
            List<Change> missing = missing(page, header, random);
            return missing.isEmpty() ? Make.of(header.lostSince(0).change(random)) : new Make(missing, List.of());
        }
        Refused refused = header.lost() != 0
                ? refused(isOn ? Reason.LOST : Reason.LOST_ELSEWHERE, page)
                : page.rows().values().stream()
                        .filter(row ->
                                !LeaseProtocol.owner(row).isEmpty() && row.number() + header.skew() > page.time())
                        .findFirst()
                        .map(row -> new Refused(StoreTexts.inUse(row, page.time(), label)))
                        .orElse(null);
        // Then the next look refuses it.
        return refused != null && isClosed(header)
                ? Make.of(header.changes(header.changes() - changes)
                        .in(State.OPEN)
                        .by("", "")
                        .change(random))
                : refused;
    }

    private boolean isClosed(StoreHeader header) {
        return header.state() == State.CLOSED && header.command().equals(id);
    }

    /** Closes and seals a store; null once that is done. */
    private @Nullable Step closing(Page page, StoreHeader header, String target, int changes, String random) {
        if (!isClosed(header) || !header.target().equals(target)) {
            // Counted before it is changed: whatever opens the store if this command is cut off.
            return Make.of(header.changes(header.changes() + changes)
                    .in(State.CLOSED)
                    .by(id, target)
                    .change(random));
        }
        List<Change> seals = StoreRules.counted(header)
                .map(page.rows()::get)
                .filter(row -> row != null && !isSealed(row))
                .map(row -> Change.replace(row, random, row.number(), row.state(), sealed(row.text())))
                .toList();
        return seals.isEmpty() ? null : new Make(seals, List.of());
    }

    private Fields sealed(Fields text) {
        return text.with(StoreHeader.COMMAND, id);
    }

    private boolean isSealed(Row row) {
        return row.text().get(StoreHeader.COMMAND).filter(id::equals).isPresent();
    }

    /**
     * Moves leases to another store.
     *
     * @param source all rows
     * @param at the identity of the server of the source; empty if that is unknown
     * @param target the header, and all rows of the same names
     * @param place names the target, in the header of the source
     * @param server the identity of the target's server; empty if that is unknown
     * @param from names the source in the same way
     */
    public Step move(Page source, String at, Page target, String place, String server, String from, String random) {
        StoreHeader left = StoreHeader.of(source);
        StoreHeader made = StoreHeader.of(target);
        String noted = made == null ? "" : place + "@" + made.version();
        if (left != null && left.state() == State.MOVED) {
            return moved(source, left, made, noted, random);
        }
        Step first = first(source, left, at, 0, random);
        if (first != null || left == null) {
            return first == null ? unusable(source, null) : first;
        }
        if (made == null || made.state() != State.MADE || !made.target().equals(left.token())) {
            return make(left, target, server, from, random);
        }
        Step closing = closing(source, left, noted, 0, random);
        if (closing != null) {
            return closing;
        }
        List<Change> copies = copies(source, left, target, random);
        return copies.isEmpty() ? Make.of(left.in(State.MOVED).change(random)) : new Make(List.of(), copies);
    }

    /** The source is closed for good. */
    private Step moved(Page source, StoreHeader left, @Nullable StoreHeader made, String noted, String random) {
        if (made != null && made.state() == State.MADE && left.target().equals(noted)) {
            StoreHeader open = left.named(made.token()).on(made.server()).by(left.command(), "");
            return new Make(List.of(), List.of(made.like(open.in(State.OPEN)).change(random)));
        }
        boolean isDone =
                made != null && made.state() == State.OPEN && made.command().equals(left.command());
        return isDone ? new Done(made.opens()) : unusable(source, left);
    }

    /**
     * The header of the target, which names the token of the source. All runs of a move use the one that they find: if
     * each made its own, one could replace it after the source of another was MOVED. One that leases have left for the
     * source may be used again.
     */
    private Step make(StoreHeader left, Page target, String server, String from, String random) {
        StoreHeader made = StoreHeader.of(target);
        StoreHeader next = left.named(id).on(server).in(State.MADE).by(id, left.token());
        if (made == null) {
            return new Make(List.of(), List.of(begin(target, next)));
        }
        return made.state() == State.MOVED && made.target().startsWith(from + "@")
                ? new Make(List.of(), List.of(made.like(next).change(random)))
                : new Refused(
                        "The target of the move has leases of its own. Choose an empty store, or the store that these"
                                + " leases came from");
    }

    /** Rows of the source as they are, with its seal. */
    private List<Change> copies(Page source, StoreHeader left, Page target, String random) {
        return StoreRules.counted(left)
                .map(source.rows()::get)
                .filter(Objects::nonNull)
                .map(row -> copy(row, target.rows().get(row.name()), random))
                .filter(Objects::nonNull)
                .toList();
    }

    private @Nullable Change copy(Row row, @Nullable Row found, String random) {
        if (found == null) {
            return Change.create(row.name(), random, row.number(), row.state(), row.text());
        }
        return isSealed(found) ? null : Change.lower(found, random, row.number(), row.state(), row.text());
    }
}
