package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.StoreRecord.State;

/**
 * What a process requires of a store's {@link StoreRecord} before it leases there. It looks at the record in each
 * conversation.
 *
 * @param place of the store in the process's settings
 * @param move that it takes part in; empty if the store is its only one
 */
record Admission(Place place, String move) {

    /** Where a store stands in the settings of a process. */
    enum Place {
        ONLY,
        OLD,
        NEW
    }

    static final Admission ONLY = new Admission(Place.ONLY, "");

    private static final String MOVING_FROM = "distributedid.snowflake.lease.moving_from";

    /** The store that numbers move from. */
    static Admission old(String move) {
        return new Admission(Place.OLD, move);
    }

    /** The store that numbers move to. */
    static Admission next(String move) {
        return new Admission(Place.NEW, move);
    }

    /** Whether the process may write the first record. */
    boolean mayFound() {
        return place == Place.ONLY;
    }

    /**
     * Lets a process in, or not.
     *
     * @param label of the store
     * @throws IdConfigurationException if no number may be leased there with its settings
     */
    void require(StoreRecord found, String label) {
        if (found.state() == State.MOVED && !(place == Place.OLD && found.move().equals(move))) {
            throw new IdConfigurationException("The worker numbers have moved to another place: " + label
                    + " state=MOVED. None is leased there any more. Set distributedid.snowflake.lease.* to the new place, and"
                    + " start again");
        }
        if (found.state() == State.MOVING
                && !(place == Place.NEW && found.move().equals(move))) {
            throw new IdConfigurationException((place == Place.ONLY
                            ? "The move of the worker numbers has not ended: "
                            : "Worker numbers of another move are on their way: ")
                    + label + " state=MOVING. "
                    + (place == Place.ONLY
                            ? "Set " + MOVING_FROM + ".* to the place where they are leased now; or end the move with"
                                    + " these settings: distributedid move-workers SEQ"
                            : "End that move first with its settings: distributedid move-workers SEQ"));
        }
    }
}
