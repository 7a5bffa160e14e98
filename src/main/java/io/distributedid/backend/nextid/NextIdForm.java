package io.distributedid.backend.nextid;

import java.util.Locale;

/** How a function counts, see {@link NextIdFunction}. */
enum NextIdForm {
    /** The state is the last id: no id comes twice after a clock goes back, or in a burst. */
    HARDENED,
    /** As Instagram published it: the clock's time, and an independent counter. */
    INSTAGRAM;

    /** The value of the setting. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
