package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.backend.snowflake.lease.StoreRecord.State;

/**
 * Checks whether the state of a store's {@link StoreRecord} lets a process lease there. A process checks before each
 * request.
 *
 * @param place the role of the store in the settings of the process
 * @param move the move that the process takes part in; empty if the store is its only one
 */
record Admission(Place place, String move) {

    enum Place {
        ONLY,
        OLD,
        NEW
    }

    static final Admission ONLY = new Admission(Place.ONLY, "");

    private static final String MOVING_FROM = "distributedid.snowflake.lease.moving_from";

    static Admission old(String move) {
        return new Admission(Place.OLD, move);
    }

    static Admission next(String move) {
        return new Admission(Place.NEW, move);
    }

    /** Whether the process may write the first record of the store. */
    boolean mayCreateRecord() {
        return place == Place.ONLY;
    }

    /** @throws IdConfigurationException if no number may be leased there with the settings of the process */
    void require(StoreRecord found, String label) {
        if (found.state() == State.MOVED && !(place == Place.OLD && found.move().equals(move))) {
            throw new IdConfigurationException("The worker numbers have moved to another place: " + label
                    + " state=MOVED. None is leased there any more. Set distributedid.snowflake.lease.* to the new"
                    + " place, and start again");
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
