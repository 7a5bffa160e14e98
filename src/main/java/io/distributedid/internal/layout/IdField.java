package io.distributedid.internal.layout;

import java.util.Locale;

/** The fields of a composed id. */
public enum IdField {
    /** Units since an epoch. */
    TIME,
    /** Where the process runs. */
    DATA_CENTRE,
    /** A number for each process. */
    WORKER,
    /** A number for each kind of business data: one for each sequence. */
    BUSINESS,
    /** The logical shard of the row. */
    SHARD,
    /** Counts the ids of one unit of time. */
    SEQUENCE;

    /** The name in settings and decoded ids, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
