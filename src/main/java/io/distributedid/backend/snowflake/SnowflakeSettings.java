package io.distributedid.backend.snowflake;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The settings of Snowflake ids. */
final class SnowflakeSettings {

    static final Setting<Long> DATA_CENTRE = Setting.number(
            "distributedid.snowflake.data_centre",
            "The data centre of this process, if the layout has that field.",
            0,
            Long.MAX_VALUE);

    static final Setting<Long> BUSINESS = Setting.number(
            "distributedid.snowflake.business",
            "The number of the business, if the layout has that field. It is usually set for each sequence.",
            0,
            Long.MAX_VALUE);

    static final Setting<Long> SHARD = Setting.number(
            "distributedid.snowflake.shard",
            "The logical shard of all ids of this process, if the layout has that field and shard.from is not set.",
            0,
            Long.MAX_VALUE);

    static final Setting<String> STATE_FILE = Setting.text(
            "distributedid.snowflake.state_file",
            "A file on a local disk that remembers until when a fixed number was used, so that no time is used again if"
                    + " the clock is set back. Files with a suffix are written beside it.",
            "the path of a file");

    static final Setting<Duration> MAX_AHEAD = Setting.duration(
            "distributedid.snowflake.max_ahead",
            "How far a burst of ids may run ahead of the clock: at most 100ms with a fixed number, and always at least"
                    + " one unit of the layout's time.",
            ofMillis(100),
            ofMillis(1),
            LeaseSettings.MOST_AHEAD);

    static final Setting<Duration> CLOCK_TOLERANCE = Setting.duration(
            "distributedid.snowflake.clock_tolerance",
            "If the clock goes back by up to this much, callers wait until it is right again. If it goes back further,"
                    + " they get an error at once.",
            ofSeconds(1),
            Duration.ZERO,
            ofMinutes(1));

    static final List<Setting<?>> ALL = Stream.concat(
                    Stream.of(
                            LayoutParser.SNOWFLAKE_LAYOUT,
                            LayoutParser.SNOWFLAKE_EPOCH,
                            CoreSettings.SNOWFLAKE_WORKER,
                            DATA_CENTRE,
                            BUSINESS,
                            SHARD,
                            STATE_FILE,
                            MAX_AHEAD,
                            CLOCK_TOLERANCE),
                    LeaseSettings.ALL.stream())
            .toList();

    private SnowflakeSettings() {}
}
