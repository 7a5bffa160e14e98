package io.distributedid.backend.snowflake.lease;

import org.jspecify.annotations.Nullable;

/**
 * All that the protocol keeps in a process. Immutable.
 *
 * @param held the newest grant, as long as its row is believed to be in the store
 * @param sent a claim whose answer is not known: it was, is, or will be done, or never
 */
public record Memory(@Nullable Grant held, @Nullable Claim sent) {

    /** Nothing. */
    public static final Memory EMPTY = new Memory(null, null);

    /**
     * To be remembered before the claim is sent.
     *
     * @param claim that is sent
     * @return with it
     */
    public Memory sending(Claim claim) {
        return new Memory(held, claim);
    }

    /**
     * The store has answered the claim that was sent. Not called for an answer that did not come.
     *
     * @param done whether the row was replaced
     * @return with the grant, or without the claim
     */
    public Memory answered(boolean done) {
        return done && sent != null ? new Memory(granted(sent), null) : new Memory(held, null);
    }

    static Grant granted(Claim claim) {
        return new Grant(claim.next(), claim.from());
    }
}
