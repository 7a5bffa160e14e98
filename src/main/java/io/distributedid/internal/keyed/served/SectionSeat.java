package io.distributedid.internal.keyed.served;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;
import io.distributedid.internal.lease.Look;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Row;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A section, and the {@link Right} to give its numbers. For one thread at a time. */
record SectionSeat(SectionProtocol protocol, Section section, Right right) {

    /**
     * @param row its name
     * @param self the name of this process
     */
    static SectionSeat of(SectionProtocol protocol, Section section, String row, String self) {
        Values values = new Values(protocol, section);
        return new SectionSeat(
                protocol, section, Right.exclusive(row, values, protocol.lease().lease(), self));
    }

    private record Values(SectionProtocol protocol, Section section) implements Right.Claims {

        @Override
        public long from(long now) {
            return 0;
        }

        @Override
        public long bound(@Nullable Lease held, long from, long now) {
            return held == null ? protocol.raised(from) : protocol.max(held, section.wanted());
        }
    }

    boolean isHeld() {
        return right.held() != null;
    }

    /** Whether the store must be read before the right may be used. */
    boolean isUnconfirmed() {
        Lease held = right.held();
        return held != null && !held.isConfirmed();
    }

    /** Tells the section what it may use, or nothing. */
    void publish(boolean isRefused) {
        section.learn(isRefused ? null : right.held());
    }

    /**
     * The change to send after a read, if one is due.
     *
     * @param mayClaim whether this process is to own the section
     */
    Optional<Change> due(boolean mayClaim, Look look, String token, long now) {
        Lease held = right.held();
        boolean isWanted = held != null && protocol.mustRaise(held, section.wanted());
        try {
            return right.request(look, () -> mayClaim ? right.free(now) : Optional.empty(), isWanted, token, now);
        } catch (IdsExhaustedException e) {
            section.exhaust(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** The live owner's name, or this process's; null if the section was handed over, or its owner's lease is over. */
    @Nullable
    String owner(String self, long now) {
        if (isHeld()) {
            return self;
        }
        Row other = right.other();
        return other == null || right.free(now).isPresent() ? null : LeaseProtocol.owner(other);
    }
}
