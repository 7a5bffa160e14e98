package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * All that the protocol keeps in a process. Immutable.
 *
 * @param held the newest grant, as long as its row is believed to be in the store
 * @param sent a request whose answer is not known: it was, is, or will be done, or never
 */
public record LeaseState(@Nullable Grant held, @Nullable LeaseRequest sent) {

    /** Nothing. */
    public static final LeaseState EMPTY = new LeaseState(null, null);

    /**
     * To be remembered before the request is sent.
     *
     * @param request that is sent
     * @return with it
     */
    public LeaseState sending(LeaseRequest request) {
        return new LeaseState(held, request);
    }

    /**
     * The store has answered the request that was sent. Not called for an answer that did not come.
     *
     * @param done whether the row was replaced
     * @return with the grant, or without the request
     */
    public LeaseState answered(boolean done) {
        return done && sent != null ? new LeaseState(granted(sent), null) : new LeaseState(held, null);
    }

    static Grant granted(LeaseRequest request) {
        return new Grant(request.next(), request.from());
    }
}
