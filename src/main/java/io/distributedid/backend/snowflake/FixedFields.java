package io.distributedid.backend.snowflake;

import io.distributedid.internal.layout.IdField;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fixed field values of a sequence, each shifted to its place in the id. Every field of the layout must have a
 * value, and a value without a field is refused.
 *
 * @param shard 0 if {@code distributedid.shard.from} gives each id its own
 */
record FixedFields(long dataCentre, long business, long shard) {

    static FixedFields of(Settings settings, IdLayout layout) {
        return new FixedFields(
                placed(settings, layout, IdField.DATA_CENTRE, SnowflakeSettings.DATA_CENTRE),
                placed(settings, layout, IdField.BUSINESS, SnowflakeSettings.BUSINESS),
                isSharded(settings)
                        ? noFixedShard(settings, layout)
                        : placed(settings, layout, IdField.SHARD, SnowflakeSettings.SHARD));
    }

    /** Whether each id has its own shard number. */
    static boolean isSharded(Settings settings) {
        return settings.find(CoreSettings.SHARD_FROM).isPresent();
    }

    private static long noFixedShard(Settings settings, IdLayout layout) {
        String from = settings.find(CoreSettings.SHARD_FROM).orElse("");
        if (!layout.has(IdField.SHARD)) {
            throw settings.invalid(
                    CoreSettings.SHARD_FROM, from, "nothing, since the layout has no field for a shard: " + layout);
        }
        if (!layout.has(IdField.WORKER)) {
            throw settings.invalid(
                    CoreSettings.SHARD_FROM,
                    from,
                    "layouts with a worker, such as sharded: without a worker, two processes that write to the same"
                            + " shard would make the same ids: " + layout);
        }
        settings.requireUnset(
                SnowflakeSettings.SHARD,
                "nothing, since each id has a shard of its own: distributedid.shard.from=" + from);
        return 0;
    }

    private static long placed(Settings settings, IdLayout layout, IdField field, Setting<Long> setting) {
        if (!layout.has(field)) {
            requireUnset(settings, layout, setting);
            return 0;
        }
        long value = settings.require(
                setting.within(0L, layout.max(field)),
                "The layout has this field, and its value is never guessed: " + layout);
        return layout.place(field, value);
    }

    /** Refuses a value that no id would contain. */
    static void requireUnset(Settings settings, IdLayout layout, Setting<?> setting) {
        settings.requireUnset(setting, "nothing, since the layout has no such field: " + layout);
    }

    long all() {
        return dataCentre | business | shard;
    }

    /** The values of the fields of {@link #ofProcess(IdLayout)}, except the worker. */
    long placedOfProcess(IdLayout layout) {
        return layout.has(IdField.WORKER) ? dataCentre : all();
    }

    /** The fields that identify a process: data centre and worker; without a worker, all except time and sequence. */
    static List<IdField> ofProcess(IdLayout layout) {
        Stream<IdField> fields = layout.has(IdField.WORKER)
                ? Stream.of(IdField.DATA_CENTRE, IdField.WORKER)
                : Stream.of(IdField.DATA_CENTRE, IdField.BUSINESS, IdField.SHARD);
        return fields.filter(layout::has).toList();
    }
}
