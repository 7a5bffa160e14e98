package io.distributedid.backend.nextid;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** The settings of {@code next_id}, read for one sequence. {@code shard} is that of the application's database. */
record NextIdSettings(FunctionName name, NextIdForm form, IdLayout layout, OptionalLong shard) {

    static final Setting<String> FUNCTION = Setting.table("distributedid.next_id.function", "next_id");

    static final Setting<NextIdForm> FORM = Setting.choice("distributedid.next_id.form", NextIdForm.HARDENED);

    static final Setting<String> LAYOUT = Setting.text("distributedid.next_id.layout", LayoutParser.ALLOWED)
            .withDefault("instagram")
            .withWords(List.of("instagram"))
            .logged();

    static final Setting<Instant> EPOCH = Setting.instant(
                    "distributedid.next_id.epoch", LayoutParser.DEFAULT_EPOCH)
            .defaultIs("by the layout");

    static final Setting<Long> SHARD = Setting.number("distributedid.next_id.shard", 0, Long.MAX_VALUE);

    static final List<Setting<?>> ALL = List.of(FUNCTION, FORM, LAYOUT, EPOCH, SHARD, CoreSettings.NEXT_ID_BATCH);

    private static final Set<IdField> FIELDS = Set.of(IdField.TIME, IdField.SHARD, IdField.SEQUENCE);

    static NextIdSettings of(Settings settings, Instant now) {
        IdLayout layout = LayoutParser.of(settings, LAYOUT, EPOCH, now);
        for (IdField field : IdField.values()) {
            if (layout.has(field) != FIELDS.contains(field)) {
                throw settings.invalid(
                        LAYOUT,
                        settings.find(LAYOUT).orElse(""),
                        "a layout with the fields time, shard and sequence and no other: instagram, or as in"
                                + " time(ms):41, shard:12, sequence:10");
            }
        }
        OptionalLong shard = settings.find(SHARD.within(0L, layout.max(IdField.SHARD)))
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
        return new NextIdSettings(FunctionName.of(settings), settings.get(FORM), layout, shard);
    }

    /** The function that these settings describe. {@code named} are all functions that the settings name. */
    NextIdFunction function(FunctionName place, long number, Set<FunctionName> named) {
        if (number < 0 || number > layout.max(IdField.SHARD)) {
            throw new IdConfigurationException("A shard's number must fit the layout: shard=" + number
                    + ", allowed: 0 to " + layout.max(IdField.SHARD) + " in " + layout);
        }
        return new NextIdFunction(record(place, named), number, NextIdFunction.CLOCK);
    }

    NextIdRecord record(FunctionName place, Set<FunctionName> named) {
        return NextIdRecord.of(place, form, layout, named);
    }

    IdShard place() {
        return new IdShard(layout.bits(IdField.SHARD), shift(layout, IdField.SHARD));
    }

    /** The number of bits to the right of the field. */
    static int shift(IdLayout layout, IdField field) {
        return Long.numberOfTrailingZeros(layout.place(field, 1));
    }
}
