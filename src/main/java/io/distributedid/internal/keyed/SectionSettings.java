package io.distributedid.internal.keyed;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.keyed.owner.SectionOptions;
import io.distributedid.internal.keyed.owner.Sections;
import io.distributedid.internal.process.ProcessName;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of numbers per key from memory. */
final class SectionSettings {

    /** What keeps numbers in order when a section gets another owner. */
    enum Order {
        LEASED,
        CONFIRMED
    }

    private static final int ADDRESS_LENGTH = 200;

    private static final Duration TIMEOUT_DEFAULT = ofSeconds(2);

    static final Setting<Object> STORE =
            Setting.servers(DistributedIdSettings.KEYED_SECTION_STORE).defaultIs("the application's database");

    private static final Setting<String> USER = Setting.text(DistributedIdSettings.KEYED_SECTION_USER, "a user");

    private static final Setting<String> PASSWORD = Setting.password(DistributedIdSettings.KEYED_SECTION_PASSWORD);

    static final Setting<String> TABLE = Setting.table(DistributedIdSettings.KEYED_SECTION_TABLE, "keyed_section");

    private static final Setting<Boolean> CREATE_TABLE =
            Setting.flag(DistributedIdSettings.KEYED_SECTION_CREATE_TABLE, false);

    private static final Setting<Long> SECTIONS =
            Setting.number(DistributedIdSettings.KEYED_SECTION_SECTIONS, 64, 1, 4096);

    private static final Setting<Duration> LEASE =
            Setting.duration(DistributedIdSettings.KEYED_SECTION_LEASE, ofSeconds(5), ofSeconds(1), ofMinutes(1));

    private static final Setting<Long> MEMORY =
            Setting.number(DistributedIdSettings.KEYED_SECTION_MEMORY, 64L << 20, 1L << 20, 1L << 40);

    private static final Setting<Duration> TIMEOUT =
            Setting.duration(DistributedIdSettings.KEYED_SECTION_TIMEOUT, TIMEOUT_DEFAULT, ofMillis(100), ofMinutes(1));

    private static final Setting<String> ADDRESS = Setting.text(
                    DistributedIdSettings.KEYED_SECTION_ADDRESS,
                    "up to " + ADDRESS_LENGTH + " printable characters of ASCII")
            .defaultIs("host, pid and start of the process");

    private static final Setting<Order> ORDER = Setting.choice(DistributedIdSettings.KEYED_SECTION_ORDER, Order.LEASED);

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]{1," + ADDRESS_LENGTH + "}");

    static final List<Setting<?>> ALL =
            List.of(STORE, USER, PASSWORD, TABLE, CREATE_TABLE, SECTIONS, LEASE, MEMORY, TIMEOUT, ADDRESS, ORDER);

    private SectionSettings() {}

    static SectionOptions options(Settings settings) {
        String address = settings.find(ADDRESS).orElseGet(ProcessName::ofProcess);
        if (!PRINTABLE.matcher(address).matches()) {
            throw settings.invalid(ADDRESS, address, ADDRESS.allowed());
        }
        return new SectionOptions(
                Math.toIntExact(settings.get(SECTIONS)),
                settings.get(LEASE),
                address,
                settings.get(MEMORY),
                settings.get(ORDER) == Order.CONFIRMED);
    }

    /** @param name in SQL */
    static Sections.Table table(Settings settings, String name) {
        Duration lease = settings.get(LEASE);
        Duration third = lease.dividedBy(3);
        Duration timeout = settings.get(TIMEOUT.within(ofMillis(100), lease.dividedBy(2))
                .withDefault(third.compareTo(TIMEOUT_DEFAULT) < 0 ? third : TIMEOUT_DEFAULT));
        return new Sections.Table(name, settings.get(CREATE_TABLE), settings.get(KeyedSettings.TABLE), timeout);
    }

    /** The database that the settings name. Empty if that is the application's. */
    static Optional<ConnectionAccess> store(Settings settings) {
        List<ConnectionAccess> found = ServerSettingParser.find(settings, STORE, USER, PASSWORD);
        if (found.size() > 1) {
            throw settings.invalid(
                    STORE, found.size() + " databases", "one, since several would have to agree on who owns a key");
        }
        return found.stream().findFirst();
    }
}
