package io.distributedid.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that a {@link MemoryServer} stores. Immutable, so that an older copy is a reference. */
interface Content {

    /** The last ids of the counters, by {@link MemoryKey#key}. */
    Map<String, Long> rows();

    default @Nullable Long row(String key) {
        return rows().get(key);
    }

    Content withRow(String key, long id);

    /** Whether tables are open. */
    boolean isInOrder();

    /** Whether an operator's command was cut off, or is under way. */
    boolean isCutOff();
}
