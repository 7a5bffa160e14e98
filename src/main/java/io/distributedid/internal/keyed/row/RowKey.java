package io.distributedid.internal.keyed.row;

import io.distributedid.IdsExhaustedException;

/** The row of a key. No key of a caller begins with white space. */
public record RowKey(String sequence, String key) {

    /** The key of a sequence's {@link RowRecord}. */
    public static final String RECORD = " @record";

    /** The key of the row with the largest number of the keys that were deleted. New keys begin above it. */
    public static final String FLOOR = " floor";

    static RowKey record(String sequence) {
        return new RowKey(sequence, RECORD);
    }

    static RowKey floor(String sequence) {
        return new RowKey(sequence, FLOOR);
    }

    IdsExhaustedException exhausted(long count) {
        return new IdsExhaustedException("The key has too few numbers left: " + this + " count=" + count
                + ", allowed: numbers up to " + Long.MAX_VALUE + ". Use another key");
    }

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + sequence + " key=" + key;
    }
}
