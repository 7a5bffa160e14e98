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

    static final Setting<String> FUNCTION = Setting.table(
            "distributedid.next_id.function",
            "The PostgreSQL function that makes ids. Without a schema, the connection's search_path finds it. Its"
                    + " sequence has the same name with _seq appended.",
            "next_id");

    static final Setting<NextIdForm> FORM = Setting.choice(
            "distributedid.next_id.form",
            "How the function counts: hardened keeps ids unique in any burst and when the clock goes back; instagram is"
                    + " as Instagram published it. Change it only while no rows are inserted.",
            NextIdForm.HARDENED);

    static final Setting<String> LAYOUT = Setting.text(
                    "distributedid.next_id.layout",
                    "How the bits of an id are divided between time, shard and sequence. It must never change once"
                            + " there are ids.",
                    LayoutParser.ALLOWED)
            .withDefault("instagram")
            .withWords(List.of("instagram"))
            .logged();

    static final Setting<Instant> EPOCH = Setting.instant(
                    "distributedid.next_id.epoch",
                    "The instant at which the time field is zero, not in the future, independent of snowflake.epoch. It"
                            + " must never change once there are ids.",
                    LayoutParser.DEFAULT_EPOCH)
            .defaultIs("by the layout");

    static final Setting<Long> SHARD = Setting.number(
            "distributedid.next_id.shard",
            "The logical shard of the application's database, or of its schema there. If it is set, the schema export"
                    + " creates the function. Not needed where each tenant is a shard.",
            0,
            Long.MAX_VALUE);

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
