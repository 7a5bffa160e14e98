package io.distributedid.simulation;

/** One thing that happens in a run, as data: it can be told, and left out. Each is played by a thread of its own. */
interface Part {

    /** When it begins, in milliseconds. */
    int at();

    /** Does it, on a thread of its {@link #host}. */
    void play(Scene scene);

    /** Where it is played. */
    default Host host(Scene scene) {
        return scene.operator(getClass().getSimpleName());
    }

    /** Lets time pass in between. */
    static void pause(Scene scene, int millis) {
        scene.world().sleep(millis * 1_000_000L);
    }
}
