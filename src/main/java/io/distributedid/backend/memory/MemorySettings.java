package io.distributedid.backend.memory;

import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of ids that are counted in memory. */
final class MemorySettings {

    static final Setting<Long> START = Setting.number(
            "distributedid.memory.start",
            "The smallest id of the backend for tests. Smaller ids are left for rows that a test writes by hand.",
            1_000_001,
            1,
            Long.MAX_VALUE / 2);

    static final List<Setting<?>> ALL = List.of(START);

    private MemorySettings() {}
}
