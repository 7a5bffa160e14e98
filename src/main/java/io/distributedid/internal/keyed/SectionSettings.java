package io.distributedid.internal.keyed;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.keyed.owner.SectionOptions;
import io.distributedid.internal.keyed.owner.Sections;
import io.distributedid.internal.keyed.row.RowSectionMark;
import io.distributedid.internal.process.ProcessName;
import io.distributedid.internal.zookeeper.ZooKeeperPlace;
import io.distributedid.internal.zookeeper.ZooKeeperSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The settings of numbers per key from memory. */
final class SectionSettings {

    /** What keeps numbers in order when a section gets another owner. */
    enum Order {
        LEASED,
        CONFIRMED
    }

    private static final int ADDRESS_LENGTH = 200;

    private static final Duration TIMEOUT_DEFAULT = ofSeconds(2);

    /** As the store: ZooKeeper. */
    private static final String IN_ZOOKEEPER = "zookeeper";

    static final Setting<Object> STORE = Setting.servers("distributedid.keyed.section.store")
            .withWords(List.of(IN_ZOOKEEPER))
            .allowing("a JDBC URL (jdbc:...), a JNDI name (java:...), a DataSource object in the settings map, or "
                    + IN_ZOOKEEPER + " with distributedid.keyed.section.zookeeper")
            .defaultIs("the application's database");

    private static final Setting<String> USER = Setting.text("distributedid.keyed.section.user", "a user");

    private static final Setting<String> PASSWORD = Setting.password("distributedid.keyed.section.password");

    private static final ZooKeeperSettings ZOOKEEPER = ZooKeeperSettings.named(
            "distributedid.keyed.section.zookeeper",
            "distributedid.keyed.section.path",
            "/distributedid/sections",
            USER,
            PASSWORD);

    static final Setting<String> TABLE = Setting.table("distributedid.keyed.section.table", "keyed_section");

    private static final Setting<Boolean> CREATE_TABLE =
            Setting.flag("distributedid.create_tables", false);

    private static final Setting<Long> SECTIONS =
            Setting.number("distributedid.keyed.section.sections", 64, 1, 4096);

    private static final Setting<Duration> LEASE =
            Setting.duration("distributedid.keyed.section.lease", ofSeconds(5), ofSeconds(1), ofMinutes(1));

    private static final Setting<Long> MEMORY =
            Setting.number("distributedid.keyed.section.memory", 64L << 20, 1L << 20, 1L << 40);

    private static final Setting<Duration> TIMEOUT =
            Setting.duration("distributedid.timeout", TIMEOUT_DEFAULT, ofMillis(100), ofMinutes(1));

    private static final Setting<String> ADDRESS = Setting.text(
                    "distributedid.keyed.section.address",
                    "up to " + ADDRESS_LENGTH + " printable characters of ASCII")
            .defaultIs("host, pid and start of the process, and a random text");

    private static final Setting<Order> ORDER = Setting.choice("distributedid.keyed.section.order", Order.LEASED);

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]{1," + ADDRESS_LENGTH + "}");

    static final List<Setting<?>> ALL = List.of(
            STORE,
            USER,
            PASSWORD,
            ZOOKEEPER.servers(),
            ZOOKEEPER.path(),
            TABLE,
            CREATE_TABLE,
            SECTIONS,
            LEASE,
            MEMORY,
            TIMEOUT,
            ADDRESS,
            ORDER);

    private SectionSettings() {}

    /** Without an address in the settings, each call has another one: two owners must not take each other for one. */
    static SectionOptions options(Settings settings) {
        String address = settings.find(ADDRESS).orElseGet(ProcessName::ofPart);
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

    /** Of connecting to the store, and of each answer. A lease leaves time for a second call. */
    private static Duration timeout(Settings settings) {
        Duration lease = settings.get(LEASE);
        Duration third = lease.dividedBy(3);
        return settings.get(TIMEOUT.within(ofMillis(100), lease.dividedBy(2))
                .withDefault(third.compareTo(TIMEOUT_DEFAULT) < 0 ? third : TIMEOUT_DEFAULT));
    }

    /**
     * @param name in SQL
     * @param rows in SQL, the table of rows in the same database
     */
    static Sections.Table table(Settings settings, String name, String rows) {
        boolean create = settings.get(CREATE_TABLE);
        return new Sections.Table(name, create, new RowSectionMark(rows, create), timeout(settings));
    }

    static boolean isInZooKeeper(Settings settings) {
        return settings.find(STORE)
                .filter(store -> store.toString().strip().equals(IN_ZOOKEEPER))
                .isPresent();
    }

    static Sections inZooKeeper(Settings settings, SectionOptions options) {
        ZooKeeperPlace place = ZOOKEEPER.read(settings, "They have the sections");
        return ZooKeeperSettings.open(STORE, () -> Sections.inZooKeeper(place, timeout(settings), options));
    }

    /** The database that the settings name. Empty if that is the application's. */
    static Optional<ConnectionAccess> store(Settings settings) {
        if (settings.given(STORE).isEmpty()) {
            // Processes with and without the store would give the same numbers.
            Stream.of(ZOOKEEPER.servers(), ZOOKEEPER.path())
                    .forEach(each -> settings.requireUnset(each, "nothing, unless " + STORE + "=" + IN_ZOOKEEPER));
        }
        List<ConnectionAccess> found = ServerSettingParser.find(settings, STORE, USER, PASSWORD);
        if (found.size() > 1) {
            throw settings.invalid(
                    STORE,
                    found.size() + " databases",
                    "one, since several would have to agree on who owns a key; use ZooKeeper for that");
        }
        return found.stream().findFirst();
    }
}
