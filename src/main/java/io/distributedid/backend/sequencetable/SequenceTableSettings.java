package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of the sequence table. */
final class SequenceTableSettings {

    static final CountingSettings COUNTING =
            CountingSettings.of(Setting.servers("distributedid.sequence_table.servers")
                    .defaultIs("the application's database")
                    .logged());

    static final Setting<String> TABLE = Setting.table("distributedid.sequence_table.table", "sequence");

    static final Setting<Long> START =
            Setting.number("distributedid.sequence_table.start", 1, 1, Long.MAX_VALUE / 2);

    static final List<Setting<?>> ALL = COUNTING.and(TABLE, START);

    private SequenceTableSettings() {}
}
