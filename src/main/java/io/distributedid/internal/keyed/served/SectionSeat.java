package io.distributedid.internal.keyed.served;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.LeaseRequest;
import io.distributedid.internal.lease.LeaseState;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What this process knows of the row of one section, and asks for. For one thread at a time. */
final class SectionSeat {

    private final SectionProtocol protocol;

    private final Section section;

    private final String name;

    private LeaseState state = LeaseState.EMPTY;

    /** The row that was read last. */
    private @Nullable Row row;

    /** The unanswered change that ends the tenure. */
    private @Nullable Change leaving;

    /** What the section has learnt last. */
    private @Nullable Lease published;

    /** @param name of the row */
    SectionSeat(SectionProtocol protocol, Section section, String name) {
        this.protocol = protocol;
        this.section = section;
        this.name = name;
    }

    Section section() {
        return section;
    }

    /** What the section may use: nothing while it is handed over. */
    @Nullable
    Lease view() {
        return leaving != null ? null : state.held();
    }

    /** Tells the section what it may use, or nothing. */
    void publish(boolean isRefused) {
        Lease now = isRefused ? null : view();
        if (!Objects.equals(now, published)) {
            published = now;
            section.learn(now);
        }
    }

    boolean isHeld() {
        return view() != null;
    }

    /** Whether the store must be read before the right may be used. */
    boolean isUnconfirmed() {
        Lease held = view();
        return held != null && !held.isConfirmed();
    }

    /** Learns the stored row. */
    void read(Page page, Version header, long answered) {
        Row found = page.row(name);
        row = found;
        Change last = leaving;
        if (last == null) {
            state = protocol.lease().read(state, page.rows(), header, 0, answered);
        } else if (!last.expected().equals(Optional.of(found.version()))) {
            // Either it was done, or the row that it expects is gone for good.
            leaving = null;
            state = LeaseState.EMPTY;
        }
        state = protocol.lease().watch(state, found, answered);
    }

    /**
     * The change to send after a read, if one is due: the unanswered one, unchanged; or to renew, raise or claim.
     *
     * @param mayClaim whether this process is to own the section
     * @param header the version of the sequence's header
     */
    Optional<Change> due(boolean mayClaim, Version header, String owner, String token, long now) {
        Change last = leaving;
        if (last != null) {
            return Optional.of(last);
        }
        LeaseRequest sent = state.sent();
        if (sent == null) {
            sent = request(mayClaim, header, owner, token, now);
        }
        if (sent == null) {
            return Optional.empty();
        }
        state = state.sending(sent);
        return Optional.of(sent.change());
    }

    private @Nullable LeaseRequest request(boolean mayClaim, Version header, String owner, String token, long now) {
        LeaseProtocol lease = protocol.lease();
        Lease held = state.held();
        Row found = row;
        try {
            if (held == null) {
                return mayClaim && found != null && lease.mayClaim(state, found, 0, now)
                        ? lease.claim(found, header, 0, protocol.raised(found.number()), owner, token, now)
                        : null;
            }
            long wanted = section.wanted();
            boolean isDue = held.isConfirmed()
                    ? lease.pause(held, now) <= 0 || protocol.mustRaise(held, wanted)
                    : !header.equals(held.unconfirmed());
            return isDue ? lease.renew(held, header, 0, protocol.max(held, wanted), owner, token, now) : null;
        } catch (IdsExhaustedException e) {
            section.exhaust(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** A change of {@link #due} was done. */
    void done(Change change, long now) {
        row = change.next();
        if (change.equals(leaving)) {
            leaving = null;
            state = protocol.lease().watch(LeaseState.EMPTY, change.next(), now);
        } else {
            state = protocol.lease().done(state, 0, now);
        }
    }

    /** Whether the next request may be the one that ends the tenure. */
    boolean canLeave() {
        return isHeld() && state.sent() == null;
    }

    /** Ends the tenure with the next request. The section must learn {@link #view} before it is sent. */
    void leave(String token) {
        Lease held = state.held();
        if (leaving == null && held != null) {
            leaving = Change.replace(held.row(), token, held.bound(), Row.State.NONE, Fields.NONE);
        }
    }

    /** The unanswered change that ends the tenure; empty if there is none. */
    Optional<Change> leaving() {
        return Optional.ofNullable(leaving);
    }

    /** The live owner's name, or this process's; null if the section was handed over, or its owner's lease is over. */
    @Nullable
    String owner(String self, long now) {
        if (isHeld()) {
            return self;
        }
        Row found = leaving != null ? null : row;
        return found == null || protocol.lease().mayClaim(state, found, 0, now) ? null : LeaseProtocol.owner(found);
    }
}
