package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * The protocol's state in a process. Immutable.
 *
 * @param held the newest grant, until its row was found replaced
 * @param sent a request that was not answered by "done": it may have been done all the same, or be done later, or never
 */
public record LeaseState(@Nullable Grant held, @Nullable LeaseRequest sent) {

    public static final LeaseState EMPTY = new LeaseState(null, null);

    /** The state to keep before the request is sent. */
    public LeaseState sending(LeaseRequest request) {
        return new LeaseState(held, request);
    }

    /**
     * The state after the store's answer; {@code done} if the row was replaced. Not called if the answer was lost. A
     * request that was refused may have been done when it was sent before, so the next read decides.
     */
    public LeaseState answered(boolean done) {
        return done && sent != null ? new LeaseState(granted(sent), null) : this;
    }

    static Grant granted(LeaseRequest request) {
        return new Grant(request.next(), request.from());
    }
}
