package io.distributedid.internal.lease;

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
 * @param id random; of this run of the command
 */
public record StoreCommand(String id) {

    /** One step. */
    public sealed interface Step {}

    /** Make these changes, and look again. */
    public record Make(List<Change> source, List<Change> target) implements Step {

        static Make of(Change change) {
            return new Make(List.of(change), List.of());
        }
    }

    /** Make this change, and look again; the command was refused. */
    public record Reopen(Change header, Refusal why) implements Step {}

    /** The command was refused, and has changed nothing, or nothing that the next one does not make up for. */
    public record Refused(Refusal why) implements Step {}

    /** Look again after this time. */
    public record Wait(long millis) implements Step {}

    /** @param opens when rights may be claimed, by the store's clock; 0 if at once */
    public record Done(long opens) implements Step {}

    /** @param row that stands in the way; null if it is the header */
    public record Refusal(Reason reason, @Nullable Row row) {}

    public enum Reason {
        NEVER_USED,
        /** The store was emptied, and the operator does not say how long its windows were. */
        WINDOW_UNKNOWN,
        /** A right lasts by the store's clock. */
        HELD,
        /** Rows were lost, and rights may last. */
        LOST,
        /** The store is the target of a move that did not end. */
        MADE,
        MOVED,
        /** The target of the move has leases of its own. */
        TARGET_IN_USE
    }

    private static @Nullable StoreHeader header(Page page) {
        Row row = page.rows().get(StoreHeader.NAME);
        return row == null || row.state() == State.NEW ? null : new StoreHeader(row);
    }

    private static Step refused(Reason reason, @Nullable Row row) {
        return new Refused(new Refusal(reason, row));
    }

    /**
     * Begins a store, or changes its windows. What was lost before, if this one was emptied, must have ended before it
     * opens. How long that is nobody knows but the operator.
     *
     * @param isGiven whether the operator says how long windows are; if not, a new store begins with {@code terms}
     * @param random for versions
     */
    public Step init(Page page, String server, StoreHeader.Terms terms, boolean isGiven, String random) {
        StoreHeader header = header(page);
        if (header == null) {
            StoreHeader first = StoreHeader.first(id, server, terms, id);
            boolean isCreated = page.rows().containsKey(StoreHeader.NAME);
            return isCreated || isGiven
                    ? Make.of(begin(page, isCreated ? first : first.lostSince(page.time())))
                    : refused(Reason.WINDOW_UNKNOWN, null);
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

    /** Ends a loss that would wait for ever, on the server that answers; also what a command has left closed. */
    public Step repair(Page page, String server, String random) {
        StoreHeader header = header(page);
        if (header == null) {
            return refused(Reason.NEVER_USED, null);
        }
        if (header.state() == State.MADE || header.state() == State.MOVED) {
            return refused(Reason.valueOf(header.state().name()), header.row());
        }
        return header.state() == State.OPEN && header.command().equals(id)
                ? new Done(header.opens())
                : Make.of(header.on(server)
                        .lostSince(page.time())
                        .in(State.OPEN)
                        .by(id, "")
                        .change(random));
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
        StoreHeader header = header(page);
        if (header == null) {
            return refused(Reason.NEVER_USED, null);
        }
        if (header.state() == State.OPEN && (header.command().equals(id) || isAsWanted(page, header, texts, opened))) {
            return new Done(header.opens());
        }
        Step end = end(page, header, server, random);
        if (end != null) {
            return end;
        }
        Refusal refusal = refusal(page, header);
        boolean isClosed = header.state() == State.CLOSED && header.command().equals(id);
        if (refusal != null && !isClosed) {
            return new Refused(refusal);
        }
        if (page.time() - header.skew() < from) {
            return new Wait(from - page.time() + header.skew());
        }
        if (!isClosed) {
            // Counted before it is changed: whatever opens the store if this command is cut off.
            StoreHeader counted = texts.isEmpty() ? header : header.changes(header.changes() + 1);
            return Make.of(counted.in(State.CLOSED).by(id, "").change(random));
        }
        List<Change> seals = seals(page, header, random);
        if (!seals.isEmpty()) {
            return new Make(seals, List.of());
        }
        if (refusal != null) {
            StoreHeader counted = texts.isEmpty() ? header : header.changes(header.changes() - 1);
            return new Reopen(counted.in(State.OPEN).by("", "").change(random), refusal);
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

    /** What makes up for a loss that is over, since nobody else does with all processes stopped; null without one. */
    private static @Nullable Step end(Page page, StoreHeader header, String server, String random) {
        if (header.lost() == 0 || !StoreRules.isOver(header, page) || !StoreRules.isOn(header, server)) {
            return null;
        }
        List<Change> missing = StoreRules.counted(header)
                .filter(name -> !page.rows().containsKey(name))
                .map(name -> StoreRules.free(name, header.opens(), random))
                .toList();
        return missing.isEmpty() ? Make.of(header.lostSince(0).change(random)) : new Make(missing, List.of());
    }

    /** Why the command may not begin, or go on. */
    private static @Nullable Refusal refusal(Page page, StoreHeader header) {
        if (header.state() == State.MADE || header.state() == State.MOVED) {
            return new Refusal(Reason.valueOf(header.state().name()), header.row());
        }
        if (header.lost() != 0) {
            return new Refusal(Reason.LOST, header.row());
        }
        return page.rows().values().stream()
                .filter(row -> !LeaseProtocol.owner(row).isEmpty() && row.number() + header.skew() > page.time())
                .findFirst()
                .map(row -> new Refusal(Reason.HELD, row))
                .orElse(null);
    }

    private Fields sealed(Fields text) {
        return text.with(StoreHeader.COMMAND, id);
    }

    private boolean isSealed(Row row) {
        return row.text().get(StoreHeader.COMMAND).filter(id::equals).isPresent();
    }

    private List<Change> seals(Page page, StoreHeader header, String random) {
        return StoreRules.counted(header)
                .map(page.rows()::get)
                .filter(row -> row != null && !isSealed(row))
                .map(row -> Change.replace(row, random, row.number(), row.state(), sealed(row.text())))
                .toList();
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
        StoreHeader left = header(source);
        StoreHeader made = header(target);
        if (left == null) {
            return refused(Reason.NEVER_USED, null);
        }
        String noted = made == null ? "" : place + "@" + made.version();
        if (left.state() == State.MOVED) {
            return moved(left, made, noted, random);
        }
        Step end = end(source, left, at, random);
        if (end != null) {
            return end;
        }
        Refusal refusal = refusal(source, left);
        if (refusal != null && left.state() == State.CLOSED && left.command().equals(id)) {
            return new Reopen(left.in(State.OPEN).by("", "").change(random), refusal);
        }
        if (refusal != null) {
            return new Refused(refusal);
        }
        if (made == null || made.state() != State.MADE || !made.target().equals(left.token())) {
            return make(left, target, server, from, random);
        }
        if (left.state() != State.CLOSED
                || !left.command().equals(id)
                || !left.target().equals(noted)) {
            return Make.of(left.in(State.CLOSED).by(id, noted).change(random));
        }
        List<Change> seals = seals(source, left, random);
        if (!seals.isEmpty()) {
            return new Make(seals, List.of());
        }
        List<Change> copies = copies(source, left, target, random);
        return copies.isEmpty() ? Make.of(left.in(State.MOVED).change(random)) : new Make(List.of(), copies);
    }

    /** The source is closed for good. */
    private static Step moved(StoreHeader left, @Nullable StoreHeader made, String noted, String random) {
        if (made != null && made.state() == State.MADE && left.target().equals(noted)) {
            StoreHeader open = left.named(made.token()).on(made.server()).by(left.command(), "");
            return new Make(List.of(), List.of(made.like(open.in(State.OPEN)).change(random)));
        }
        boolean isDone =
                made != null && made.state() == State.OPEN && made.command().equals(left.command());
        return isDone ? new Done(made.opens()) : refused(Reason.MOVED, left.row());
    }

    /**
     * The header of the target, which names the token of the source. All runs of a move use the one that they find: if
     * each made its own, one could replace it after the source of another was MOVED. One that leases have left for the
     * source may be used again.
     */
    private Step make(StoreHeader left, Page target, String server, String from, String random) {
        StoreHeader made = header(target);
        StoreHeader next = left.named(id).on(server).in(State.MADE).by(id, left.token());
        if (made == null) {
            return new Make(List.of(), List.of(begin(target, next)));
        }
        return made.state() == State.MOVED && made.target().startsWith(from + "@")
                ? new Make(List.of(), List.of(made.like(next).change(random)))
                : refused(Reason.TARGET_IN_USE, made.row());
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
