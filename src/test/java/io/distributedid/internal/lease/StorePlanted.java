package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreCommand.Make;
import io.distributedid.internal.lease.StoreRules.Decision;
import io.distributedid.internal.lease.StoreRules.Open;
import io.distributedid.internal.lease.StoreRules.Reason;
import io.distributedid.internal.lease.StoreRules.Refused;
import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Row.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A rule that is left out on purpose. It is left out around {@link StoreRules}, {@link LeaseProtocol} and
 * {@link StoreCommand}: they are shown something else than what a store holds, or something else is done than what they
 * say.
 */
enum StorePlanted {
    NONE,
    /** A claim is used without confirmation. */
    CLAIM_UNCONFIRMED,
    /** A renewal that was answered too late is used without confirmation. */
    LATE_RENEWAL,
    /** What is not confirmed is renewed and confirmed while no right may be claimed. */
    CONFIRMED_WHILE_REFUSED,
    /** A loss is not told. */
    LOSS_NOT_WRITTEN,
    /** A store that lost rows opens at once. */
    OPENED_BEFORE_WAIT,
    /** It opens on any server. */
    OPENED_ELSEWHERE,
    /** A second loss does not begin the wait anew. */
    SECOND_LOSS,
    /** Who knows a store fills an empty one. */
    EMPTY_FILLED,
    /** Another token is no other store. */
    TOKEN_IGNORED,
    /** A missing row is taken for a free one. */
    COUNT_IGNORED,
    /** A stale read is taken for a loss. */
    STALE_IS_LOSS,
    /** An emptied store that is begun again opens at once. */
    BEGUN_AT_ONCE,
    /** Rows are not sealed: confirmation is enough here. */
    NOT_SEALED,
    /** What an earlier move has copied is taken for sealed. */
    ANY_SEAL,
    /** What was moved is moved again, to a target that was emptied. */
    ANY_TARGET;

    private static final String RANDOM = "planted";

    Known known(Known known, Page page) {
        return switch (this) {
            case TOKEN_IGNORED -> {
                Row header = page.rows().get(StoreHeader.NAME);
                boolean isOther = header != null
                        && known.rows().containsKey(StoreHeader.NAME)
                        && !new StoreHeader(header)
                                .token()
                                .equals(new StoreHeader(known.rows().get(StoreHeader.NAME)).token());
                yield isOther ? new Known(Map.of()) : known;
            }
            default -> known;
        };
    }

    /** What a process is shown of what it read. */
    Page shown(Page page) {
        Row header = page.rows().get(StoreHeader.NAME);
        if (header == null) {
            return page;
        }
        if (this == OPENED_BEFORE_WAIT && new StoreHeader(header).lost() != 0) {
            return new Page(page.rows(), page.time() + new StoreHeader(header).longest());
        }
        return page;
    }

    /** What a process does instead. */
    Decision decided(Decision decision, Page page, Actor actor) {
        Row row = page.rows().get(StoreHeader.NAME);
        if (this == EMPTY_FILLED
                && decision instanceof Refused refused
                && refused.reason() == Reason.OTHER_STORE
                && row == null) {
            StoreHeader known = new StoreHeader(actor.known.rows().get(StoreHeader.NAME));
            return new StoreRules.Write(List.of(known.workers(0).lostSince(0).create()), List.of(StoreHeader.NAME));
        }
        if (!(decision instanceof StoreRules.Write write) || row == null) {
            return decision;
        }
        if (this == COUNT_IGNORED && !write.lost().isEmpty()) {
            List<Change> created = write.changes().stream()
                    .filter(change -> change.expected().isEmpty())
                    .map(change -> Change.create(
                            change.name(), RANDOM, 0, State.NONE, change.next().text()))
                    .toList();
            return created.isEmpty() ? decision : new StoreRules.Write(created, List.of());
        }
        if (this == LOSS_NOT_WRITTEN && !write.lost().isEmpty()) {
            return forgotten(page, actor);
        }
        if (this == SECOND_LOSS && !write.lost().isEmpty() && new StoreHeader(row).lost() != 0) {
            return forgotten(page, actor);
        }
        return decision;
    }

    private static Decision forgotten(Page page, Actor actor) {
        actor.known = new Known(Map.of());
        StoreHeader header = new StoreHeader(page.rows().get(StoreHeader.NAME));
        return header.lost() == 0 && header.state() == State.OPEN ? new Open(header) : new Refused(Reason.LOST, page);
    }

    LeaseState held(LeaseState next) {
        Lease held = next.held();
        return this == CLAIM_UNCONFIRMED && held != null
                ? new LeaseState(held.confirmed(), next.sent(), next.seen())
                : next;
    }

    LeaseState done(LeaseProtocol protocol, LeaseState state, long time, long now) {
        LeaseState next = protocol.done(state, time, now);
        boolean isRenewed = state.held() != null && state.held().isConfirmed();
        return this == LATE_RENEWAL && isRenewed ? new LeaseState(next.held().confirmed(), null, null) : next;
    }

    /** What a command sees of the store that it closes. */
    Page command(Page page, String id) {
        return this == NOT_SEALED ? sealed(page, id, row -> true) : page;
    }

    Page target(Page page, String id) {
        return this == ANY_SEAL
                ? sealed(page, id, row -> row.text().get(StoreHeader.COMMAND).isPresent())
                : page;
    }

    private static Page sealed(Page page, String id, Predicate<Row> which) {
        Map<String, Row> rows = new HashMap<>(page.rows());
        UnaryOperator<Row> seal = row -> new Row(
                row.name(), row.version(), row.number(), row.state(), row.text().with(StoreHeader.COMMAND, id));
        rows.replaceAll((name, row) -> name.equals(StoreHeader.NAME) || !which.test(row) ? row : seal.apply(row));
        return new Page(rows, page.time());
    }

    /** What a move sees of its source. */
    Page source(Page source, Page target) {
        Row header = source.rows().get(StoreHeader.NAME);
        Row made = target.rows().get(StoreHeader.NAME);
        if (this != ANY_TARGET || header == null || header.state() != State.MOVED) {
            return source;
        }
        boolean isEmptied = made == null
                || (made.state() == State.MADE
                        && !new StoreHeader(header).target().endsWith("@" + made.version()));
        if (!isEmptied) {
            return source;
        }
        Map<String, Row> rows = new HashMap<>(source.rows());
        rows.put(StoreHeader.NAME, new StoreHeader(header).in(State.CLOSED).row());
        return new Page(rows, source.time());
    }

    StoreCommand.Step begun(StoreCommand.Step step) {
        if (this != BEGUN_AT_ONCE || !(step instanceof Make make)) {
            return step;
        }
        Change change = make.source().get(0);
        return change.expected().isPresent() || !change.name().equals(StoreHeader.NAME)
                ? step
                : new Make(List.of(new StoreHeader(change.next()).lostSince(0).create()), List.of());
    }

    /** Whether a process acts as if it had told of a loss. */
    boolean isBelievedToBeTold() {
        return this == LOSS_NOT_WRITTEN || this == SECOND_LOSS;
    }
}
