package io.distributedid.internal.keyed;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The settings of numbers per key. */
public final class KeyedSettings {

    /** Where numbers come from. */
    enum Place {
        ROW,
        SECTION,
        REMOTE
    }

    static final Setting<Place> BACKEND = Setting.choice("distributedid.keyed.backend", Place.ROW);

    static final Setting<Object> SERVERS =
            Setting.servers("distributedid.keyed.row.servers").defaultIs("the application's database");

    static final Setting<String> USER = Setting.text("distributedid.keyed.row.user", "a user");

    static final Setting<String> PASSWORD = Setting.password("distributedid.keyed.row.password");

    static final Setting<String> TABLE = Setting.table("distributedid.keyed.row.table", "keyed_sequence");

    static final Setting<Boolean> CREATE_TABLE = Setting.flag("distributedid.create_tables", false);

    static final Setting<Long> CONNECTIONS = Setting.number("distributedid.keyed.row.connections", 4, 1, 64);

    static final Setting<Duration> TIMEOUT =
            Setting.duration("distributedid.timeout", ofSeconds(2), ofMillis(100), ofMinutes(1));

    public static final List<Setting<?>> ALL = Stream.concat(
                    Stream.of(BACKEND, SERVERS, USER, PASSWORD, TABLE, CREATE_TABLE, CONNECTIONS, TIMEOUT),
                    Stream.concat(SectionSettings.ALL.stream(), KeyedRemoteSettings.ALL.stream()))
            .toList();

    private KeyedSettings() {}

    /** Whether any is set: then a schema export creates the table, whatever the entities say. */
    public static boolean areGiven(Settings settings) {
        return ALL.stream().anyMatch(each -> settings.given(each).isPresent());
    }
}
