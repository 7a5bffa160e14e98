package io.distributedid.internal.layout;

import java.util.Locale;

/** The fields of a composed id. */
public enum IdField {
    /** Units since an epoch. */
    TIME,
    /** Where the process runs. */
    DATA_CENTRE,
    /** Which process it was. */
    WORKER,
    /** Which business the id is for: a number for each sequence. */
    BUSINESS,
    /** On which logical shard the row lies. */
    SHARD,
    /** Tells the ids of one unit of time apart. */
    SEQUENCE;

    /**
     * As in settings and decoded ids.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
