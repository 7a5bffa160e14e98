package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * The protocol's state in a process. Immutable.
 *
 * @param held the newest grant, until its row was found replaced
 * @param sent a request without an answer: it may have been done, or be done later, or never
 */
public record LeaseState(@Nullable Grant held, @Nullable LeaseRequest sent) {

    public static final LeaseState EMPTY = new LeaseState(null, null);

    /** The state to keep before the request is sent. */
    public LeaseState sending(LeaseRequest request) {
        return new LeaseState(held, request);
    }

    /** The state after the store's answer; {@code done} if the row was replaced. Not called if the answer was lost. */
    public LeaseState answered(boolean done) {
        return done && sent != null ? new LeaseState(granted(sent), null) : new LeaseState(held, null);
    }

    static Grant granted(LeaseRequest request) {
        return new Grant(request.next(), request.from());
    }
}
