package io.distributedid.internal.counter;

/** What to do when another server has taken a server's place: it may lack the ids that were drawn last. */
public enum Failover {
    /** Raise it by twice the largest distance above all that is known. */
    RAISE,
    /** Refuse it until an operator has repaired it. */
    REFUSE,
    /** Go on: the replication loses nothing that was committed. */
    LOSSLESS
}
