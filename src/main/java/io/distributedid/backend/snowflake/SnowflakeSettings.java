package io.distributedid.backend.snowflake;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.layout.LayoutParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The settings of Snowflake ids. */
final class SnowflakeSettings {

    enum CountedBy {
        /** Each sequence counts for itself. */
        SEQUENCE,
        /** All sequences with this value count together. */
        SHARED
    }

    static final Setting<Long> DATA_CENTRE =
            Setting.number("distributedid.snowflake.data_centre", 0, Long.MAX_VALUE);

    static final Setting<Long> BUSINESS = Setting.number("distributedid.snowflake.business", 0, Long.MAX_VALUE);

    static final Setting<Long> SHARD = Setting.number("distributedid.snowflake.shard", 0, Long.MAX_VALUE);

    static final Setting<CountedBy> COUNTER =
            Setting.choice("distributedid.snowflake.counter", CountedBy.SEQUENCE);

    static final Setting<String> STATE_FILE =
            Setting.text("distributedid.snowflake.state_file", "the path of a file");

    static final Setting<Duration> MAX_AHEAD = Setting.duration(
            "distributedid.snowflake.max_ahead", ofMillis(100), ofMillis(1), LeaseSettings.MOST_AHEAD);

    static final Setting<Duration> CLOCK_TOLERANCE = Setting.duration(
            "distributedid.snowflake.clock_tolerance", ofSeconds(1), Duration.ZERO, ofMinutes(1));

    static final List<Setting<?>> ALL = Stream.concat(
                    Stream.of(
                            LayoutParser.SNOWFLAKE_LAYOUT,
                            LayoutParser.SNOWFLAKE_EPOCH,
                            CoreSettings.SNOWFLAKE_WORKER,
                            DATA_CENTRE,
                            BUSINESS,
                            SHARD,
                            COUNTER,
                            STATE_FILE,
                            MAX_AHEAD,
                            CLOCK_TOLERANCE),
                    LeaseSettings.ALL.stream())
            .toList();

    private SnowflakeSettings() {}
}
