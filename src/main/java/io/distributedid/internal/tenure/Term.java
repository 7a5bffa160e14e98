package io.distributedid.internal.tenure;

/**
 * The right to act until {@code end}, with the values from {@code from} to before {@link #bound}. A renewal makes a new
 * term with the same {@code from}.
 *
 * @param row the row that this process wrote
 * @param from the first value that the tenure may use
 * @param end when the lease is over, by the clock of this process, in nanoseconds
 */
public record Term(TenureRow row, long from, long end) {

    /** Values from here on belong to others. */
    public long bound() {
        return row.bound();
    }

    /** Whether the lease lasts at {@code now}, by the clock of this process. */
    public boolean isValid(long now) {
        return now - end < 0;
    }
}
