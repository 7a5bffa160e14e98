package io.distributedid.simulation;

/**
 * Whose ids a process takes. Most runs have the first side only. In a run with shards that are merged, each shard has
 * counters of its own before, and may have the same ids as the other.
 */
enum Side {
    FIRST,
    /** Of the shard whose counters end. */
    OTHER,
    /** Of the first shard, from the counters of both. */
    FIRST_MERGED,
    /** Of the other shard, from the counters of both. */
    OTHER_MERGED;

    /** Whether the entities are in the database of the other shard. */
    boolean isOther() {
        return this == OTHER || this == OTHER_MERGED;
    }

    boolean isMerged() {
        return this == FIRST_MERGED || this == OTHER_MERGED;
    }

    /** Whether an id of the one must not be one of the other's. */
    boolean shares(Side side) {
        return this == side || isMerged() || side.isMerged();
    }
}
