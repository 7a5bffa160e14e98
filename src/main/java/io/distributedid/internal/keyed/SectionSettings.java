package io.distributedid.internal.keyed;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.internal.keyed.served.SectionOptions;
import io.distributedid.internal.keyed.served.Sections;
import io.distributedid.internal.process.ProcessName;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of numbers per key from memory. */
final class SectionSettings {

    private static final int ADDRESS_LENGTH = 200;

    static final Setting<Object> STORE = Setting.servers(
                    "distributedid.keyed.section.store", "The one database that says which process owns which keys.")
            .allowing(ServerSettingParser.ONE)
            .defaultIs("the application's database");

    private static final Setting<String> USER = Setting.text(
            "distributedid.keyed.section.user",
            "The user for a store given by URL, unless the URL names one.",
            "a user");

    private static final Setting<String> PASSWORD =
            Setting.password("distributedid.keyed.section.password", "The password of keyed.section.user.");

    static final Setting<String> TABLE = Setting.table(
            "distributedid.keyed.section.table", "The ledger with a row for each section.", Sections.LEDGER);

    private static final Setting<Long> SECTIONS = Setting.number(
            "distributedid.keyed.section.sections",
            "Into how many sections the keys of a sequence are divided. A section belongs to one process at a time. The"
                    + " first use of a sequence records the number; a different number is then refused.",
            64,
            1,
            4096);

    private static final Setting<Duration> LEASE = Setting.duration(
            "distributedid.keyed.section.lease",
            "How long a process gives numbers without an answer from the store. If it dies, others take over its keys"
                    + " after this time.",
            ofSeconds(5),
            ofSeconds(1),
            ofMinutes(1));

    private static final Setting<Long> MEMORY = Setting.number(
            "distributedid.keyed.section.memory",
            "How many bytes of memory the keys may take. When they are used up, the keys of a section are forgotten,"
                    + " and its numbers jump.",
            64L << 20,
            1L << 20,
            1L << 40);

    private static final Setting<String> ADDRESS = Setting.text(
                    "distributedid.keyed.section.address",
                    "The address at which other processes reach this one. No two processes may have the same address.",
                    "up to " + ADDRESS_LENGTH + " printable characters of ASCII")
            .defaultIs("host, pid and start of the process, and a random text");

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]{1," + ADDRESS_LENGTH + "}");

    static final List<Setting<?>> ALL = List.of(STORE, USER, PASSWORD, TABLE, SECTIONS, LEASE, MEMORY, ADDRESS);

    private SectionSettings() {}

    /** Without an address in the settings, each call has another one: two owners must not take each other for one. */
    static SectionOptions options(Settings settings) {
        String address = settings.find(ADDRESS).orElseGet(ProcessName::ofPart);
        if (!PRINTABLE.matcher(address).matches()) {
            throw settings.invalid(ADDRESS, address, ADDRESS.allowed());
        }
        return new SectionOptions(
                Math.toIntExact(settings.get(SECTIONS)), settings.get(LEASE), address, settings.get(MEMORY));
    }

    /** Of connecting to the store, and of each answer. */
    private static Duration timeout(Settings settings) {
        return CoreSettings.timeout(settings, settings.get(LEASE));
    }

    /**
     * @param name in SQL
     * @param rows in SQL, the table of rows in the same database
     */
    static Sections.Table table(Settings settings, String name, String rows) {
        boolean create = settings.get(CoreSettings.CREATE_TABLES);
        return new Sections.Table(name, create, new SectionMark(rows, create), timeout(settings));
    }

    /** The database that the settings name. Empty if that is the application's. */
    static Optional<ConnectionAccess> store(Settings settings) {
        return ServerSettingParser.findOne(
                settings, STORE, USER, PASSWORD, "since several would have to agree on who owns a key");
    }
}
