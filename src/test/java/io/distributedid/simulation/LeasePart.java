package io.distributedid.simulation;

/** One thing that happens in a run with leases, as a {@link Part} is in one with counters. */
interface LeasePart {

    /** When it begins, in milliseconds. */
    int at();

    /** Does it, on a thread of its {@link #host}. */
    void play(LeaseScene scene);

    /** Where it is played. */
    default Host host(LeaseScene scene) {
        return new Host(scene.world(), getClass().getSimpleName());
    }

    /** Whether nothing goes wrong by it. */
    default boolean isPeaceful() {
        return false;
    }
}
