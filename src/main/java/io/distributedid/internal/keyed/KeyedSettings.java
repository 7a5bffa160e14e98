package io.distributedid.internal.keyed;

import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
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

    static final Setting<Place> BACKEND = Setting.choice(
            "distributedid.keyed.backend",
            "Where numbers per key come from: a row for each key, the memory of the issuing service (only in its own"
                    + " settings), or that service.",
            Place.ROW);

    static final Setting<Object> SERVER = Setting.servers(
                    "distributedid.keyed.row.server", "The one database that holds the rows of numbers per key.")
            .allowing(ServerSettingParser.ONE)
            .defaultIs("the application's database");

    static final Setting<String> USER = Setting.text(
            "distributedid.keyed.row.user", "The user of keyed.row.server, if its URL names none.", "a user");

    static final Setting<String> PASSWORD =
            Setting.password("distributedid.keyed.row.password", "The password of keyed.row.user.");

    static final Setting<String> TABLE = Setting.table(
            "distributedid.keyed.row.table",
            "The table with a row for each key. It also holds the records of sequences that are numbered from memory.",
            "keyed_sequence");

    static final Setting<Long> CONNECTIONS = Setting.number(
            "distributedid.keyed.row.connections",
            "How many connections to keep to the database of numbers per key. A key uses one at a time. They come from"
                    + " the application's pool if the table is in its database.",
            4,
            1,
            64);

    static final ServiceSettings REMOTE = new ServiceSettings(
            Setting.list(
                    "distributedid.keyed.remote.servers",
                    "The servers of an issuing service that gives numbers per key. If each key has a server of its own,"
                            + " list all of them.",
                    ServiceSettings.ADDRESSES),
            Setting.password(
                    "distributedid.keyed.remote.token", "The token that the servers of keyed.remote.servers ask for."),
            Setting.text(
                            "distributedid.keyed.remote.trust",
                            "The certificates to trust for keyed.remote.servers.",
                            ServiceSettings.CERTIFICATES)
                    .defaultIs("those that the JVM trusts"));

    public static final List<Setting<?>> ALL = Stream.of(
                    Stream.of(
                            CoreSettings.TIMEOUT,
                            CoreSettings.CREATE_TABLES,
                            BACKEND,
                            SERVER,
                            USER,
                            PASSWORD,
                            TABLE,
                            CONNECTIONS),
                    SectionSettings.ALL.stream(),
                    REMOTE.all().stream())
            .<Setting<?>>flatMap(each -> each)
            .distinct()
            .toList();

    private KeyedSettings() {}

    /**
     * Refuses numbers from memory in an application.
     *
     * @throws io.distributedid.IdConfigurationException if the settings of a sequence want them
     */
    public static void requireNoSections(Settings settings) {
        if (settings.get(BACKEND) == Place.SECTION) {
            throw settings.invalid(
                    BACKEND,
                    "section",
                    "row or remote in an application, since only the issuing service keeps numbers per key in memory."
                            + " Set it to remote, and distributedid.keyed.remote.servers to the addresses of the"
                            + " service");
        }
    }

    /** Whether any of their own is set: then a schema export creates the table, whatever the entities say. */
    public static boolean areGiven(Settings settings) {
        return ALL.stream()
                .filter(each -> each.name().startsWith("distributedid.keyed."))
                .anyMatch(each -> settings.given(each).isPresent());
    }
}
