package io.distributedid.backend.snowflake;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdLayout;

/** The layout that a store has recorded for a sequence: the first process has written it. */
final class RecordedLayout {

    private RecordedLayout() {}

    /**
     * Requires that all processes with the same store use the same layout and epoch for a sequence. Otherwise different
     * processes would make the same ids.
     *
     * @param label names the store
     * @throws IdConfigurationException if another layout is recorded
     */
    static void require(String sequence, IdLayout layout, String recorded, String label) {
        if (!recorded.equals(layout.text())) {
            throw new IdConfigurationException(
                    "A sequence must keep its layout and epoch, or different processes make the same"
                            + " ids: seq=" + sequence + " layout=" + layout.text() + ", but " + label + " records "
                            + recorded
                            + ". Set distributedid.snowflake.layout and distributedid.snowflake.epoch as before; or"
                            + " give the sequence another name if its ids are others; or, to change the layout, stop"
                            + " all processes and run: distributedid change-layout " + sequence);
        }
    }
}
