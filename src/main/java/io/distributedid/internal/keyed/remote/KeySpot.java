package io.distributedid.internal.keyed.remote;

/**
 * What is asked for. Calls with equal spots share a request.
 *
 * @param isRead whether no number is taken
 */
record KeySpot(String sequence, String key, boolean isRead) {

    /** For messages. */
    @Override
    public String toString() {
        return "seq=" + sequence + " key=" + key;
    }
}
