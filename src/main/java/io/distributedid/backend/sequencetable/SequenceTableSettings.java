package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import java.util.List;

/** The settings of the sequence table. */
final class SequenceTableSettings {

    static final CountingSettings COUNTING = new CountingSettings(
            Setting.servers(
                            "distributedid.sequence_table.servers",
                            "The servers that hold the sequence table, in order. Several divide the ids between them,"
                                    + " and any of them is enough.")
                    .defaultIs("the application's database")
                    .logged(),
            "servers of the sequence table");

    static final Setting<String> TABLE =
            Setting.table("distributedid.sequence_table.table", "The table with a row for each sequence.", "sequence");

    static final Setting<Long> START = COUNTING.start();

    static final List<Setting<?>> ALL = COUNTING.and(CoreSettings.CREATE_TABLES, TABLE, START);

    private SequenceTableSettings() {}
}
