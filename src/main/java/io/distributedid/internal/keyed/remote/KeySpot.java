package io.distributedid.internal.keyed.remote;

/**
 * What is asked for. Calls with equal spots share a request.
 *
 * @param want what the answer is
 */
record KeySpot(String sequence, String key, Want want) {

    enum Want {
        /** Numbers that are taken. */
        NUMBERS,
        /** The last number of the key. */
        LAST,
        /** A number that those of the key that were given do not exceed. */
        BOUND
    }

    /** Whether no number is taken. */
    boolean isRead() {
        return want != Want.NUMBERS;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + sequence + " key=" + key;
    }
}
