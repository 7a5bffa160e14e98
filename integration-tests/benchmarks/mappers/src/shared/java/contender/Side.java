package contender;

/** Who makes the ids. */
enum Side {
    /** The library, through the mapper's integration. */
    OURS,
    /** The application, which counts in memory and sets each id before the mapper sees the row. */
    ASSIGNED
}
