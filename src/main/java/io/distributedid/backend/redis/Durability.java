package io.distributedid.backend.redis;

/** What becomes of ids that a client has got, if the server stops at once. */
enum Durability {
    /** The server writes each change to its disk before it answers. A server that does not is refused. */
    ALWAYS,
    /** The server may lose the last ones. After each restart of it, counters jump. */
    MAY_LOSE
}
