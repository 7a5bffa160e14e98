package io.distributedid.internal.tenure;

import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link TenureProtocol} in a process. Immutable.
 *
 * @param held the newest term, until its row was found replaced; its lease may be over
 * @param sent a request that was not answered by "done": it may have been done all the same, or be done later, or never
 * @param seen what the store holds instead of a row of this process; null before the first read
 */
public record TenureState(
        @Nullable Term held,
        @Nullable TenureRequest sent,
        @Nullable Sighting seen) {

    public static final TenureState EMPTY = new TenureState(null, null, null);

    /**
     * A row that this process did not write.
     *
     * @param row null if the store has none
     * @param since after the row was first read, by the clock of this process
     */
    public record Sighting(@Nullable TenureRow row, long since) {

        boolean isOf(@Nullable TenureRow other) {
            return row == null ? other == null : row.equals(other);
        }
    }

    /** The state to keep before the request is sent. */
    public TenureState sending(TenureRequest request) {
        return new TenureState(held, request, seen);
    }
}
