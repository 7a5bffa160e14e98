package io.distributedid.backend.nextid;

import java.util.Locale;

/** How a function counts; see {@link NextIdFunction}. */
enum NextIdForm {
    /** The state is the last id: survives a clock that goes back, and bursts. */
    HARDENED,
    /** As Instagram published it: time and a counter, each for itself. */
    INSTAGRAM;

    /** As in settings. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
