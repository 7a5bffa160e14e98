package io.distributedid.internal.keyed.owner;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.keyed.section.Section;
import io.distributedid.internal.keyed.section.SectionProtocol;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.TenureState.Sighting;
import io.distributedid.internal.tenure.Term;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a section's row, and what it has sent. For one thread at a time.
 *
 * <p>No row has a {@code max} below one that was read before. If one has, the store was set back: its numbers may be
 * given already, and this process neither gives nor claims them until {@code max} is as large again.
 */
final class SectionSeat {

    private final SectionProtocol protocol;

    private final Section section;

    private final KnownRows known;

    private final int index;

    private TenureState state = TenureState.EMPTY;

    /** The unanswered request that ends the tenure. */
    private @Nullable TenureRequest leaving;

    /** The {@code max} of the row that is too low; null if it is not. */
    private @Nullable Long tooLow;

    private @Nullable IdsExhaustedException exhausted;

    /** @param index of the section */
    SectionSeat(SectionProtocol protocol, Section section, KnownRows known, int index) {
        this.protocol = protocol;
        this.section = section;
        this.known = known;
        this.index = index;
    }

    Section section() {
        return section;
    }

    /** What the section may use: nothing while it is handed over. */
    TenureState view() {
        return leaving != null ? TenureState.EMPTY : state;
    }

    boolean isHeld() {
        return view().held() != null;
    }

    /** Learns the stored row. */
    void read(TenureRow row, long answered) {
        if (row.bound() < known.highest(index)) {
            tooLow = row.bound();
            leaving = null;
            state = TenureState.EMPTY;
            return;
        }
        tooLow = null;
        known.raise(index, row.bound());
        TenureRequest last = leaving;
        if (last == null) {
            state = protocol.tenure().read(state, row, answered);
        } else if (!row.equals(last.expected())) {
            // Either it was done, or the row that it expects is gone for good.
            leaving = null;
            state = new TenureState(null, null, new Sighting(row, answered));
        }
    }

    /**
     * The request to send after a read, if one is due: the unanswered one, unchanged; or to renew, raise or claim.
     *
     * @param mayClaim whether this process is to own the section
     */
    @Nullable
    TenureRequest due(boolean mayClaim, String owner, String token, long now) {
        if (leaving != null) {
            return leaving;
        }
        if (state.sent() != null) {
            return state.sent();
        }
        if (!isHeld() && (!mayClaim || state.seen() == null)) {
            return null;
        }
        if (protocol.pause(state, section.wanted(), now) > 0) {
            return null;
        }
        try {
            TenureRequest request = protocol.request(state, section.wanted(), owner, token, now);
            state = state.sending(request);
            return request;
        } catch (IdsExhaustedException e) {
            exhausted = e;
            return null;
        }
    }

    /** A request was done. */
    void done(TenureRequest request, long now) {
        known.raise(index, request.next().bound());
        if (request.equals(leaving)) {
            leaving = null;
            state = new TenureState(null, null, new Sighting(request.next(), now));
        } else {
            state = protocol.tenure().granted(request);
        }
    }

    /** Whether the next request may be the one that ends the tenure. */
    boolean canLeave() {
        return isHeld() && state.sent() == null;
    }

    /** Ends the tenure with the next request. The section must learn {@link #view} before it is sent. */
    void leave(String token, long now) {
        Term held = state.held();
        if (held != null) {
            leaving = protocol.handOver(held, token, now);
        }
    }

    /** The unanswered request that ends the tenure; null if there is none. */
    @Nullable
    TenureRequest leaving() {
        return leaving;
    }

    /** The live owner's name, or this process's; null if the section was handed over, or its owner's lease is over. */
    @Nullable
    String owner(String self, long now) {
        if (isHeld()) {
            return self;
        }
        TenureRow row = row();
        return row == null || row.isHandedBack() || protocol.tenure().pause(state, now) <= 0 ? null : row.owner();
    }

    private @Nullable TenureRow row() {
        Sighting seen = leaving != null ? null : state.seen();
        return seen == null ? null : seen.row();
    }

    /** Why this section has no numbers, whoever owns it; null if there is no such reason. */
    @Nullable
    String trouble() {
        Long low = tooLow;
        if (low != null) {
            return "The store was set back, and numbers could be given twice: max_number=" + low + ", it was "
                    + known.highest(index) + ". Raise max_number of all its sections above all that were given";
        }
        IdsExhaustedException used = exhausted;
        return used == null ? null : String.valueOf(used.getMessage());
    }
}
