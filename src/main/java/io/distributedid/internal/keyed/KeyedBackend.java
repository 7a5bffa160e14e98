package io.distributedid.internal.keyed;

import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.keyed.remote.RemoteKeys;
import io.distributedid.internal.keyed.row.GaplessRows;
import io.distributedid.internal.keyed.row.KeyedRows;
import io.distributedid.internal.keyed.row.KnownRecords;
import io.distributedid.internal.keyed.served.SectionOptions;
import io.distributedid.internal.keyed.served.Sections;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.process.Resources;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The connections of numbers per key, until the next suspend or the close. A {@link Backend}, so that it ends together
 * with those of ids; but it gives no ids. Sequences whose settings are the same share connections. Thread-safe.
 */
public final class KeyedBackend implements Backend {

    private final BackendContext context;

    /** By the settings of numbers per key that are set. */
    private final Resources<Map<Setting<?>, Optional<Object>>, KeyedSource> bySettings =
            new Resources<>(KeyedSource::close);

    /** Those before the last suspend that no new one has replaced yet: they know their stores. */
    private final Map<Map<Setting<?>, Optional<Object>>, KeyedSource> former = new ConcurrentHashMap<>();

    /** Settings are parsed once, since each number needs them. */
    private final Map<String, KeyedSource> bySequence = new ConcurrentHashMap<>();

    private final Map<String, String> tables = new ConcurrentHashMap<>();

    private final GaplessRows gapless;

    KeyedBackend(BackendContext context) {
        this.context = context;
        Optional<KeyedBackend> last = context.former().map(KeyedBackend.class::cast);
        last.ifPresent(before -> {
            former.putAll(before.former);
            former.putAll(before.bySettings.end());
        });
        gapless = last.map(before -> before.gapless.resumed()).orElseGet(() -> new GaplessRows(Platform.JVM));
    }

    /** What numbers the keys of a sequence in transactions of the caller. */
    GaplessRows gapless(Sequence sequence) {
        KeyedSettings.Place place = sequence.settings().get(KeyedSettings.BACKEND);
        if (place != KeyedSettings.Place.ROW) {
            throw sequence.settings()
                    .invalid(
                            KeyedSettings.BACKEND,
                            place.name().toLowerCase(Locale.ROOT),
                            "row, for numbers in a transaction: " + sequence
                                    + ". Leave out the connection, or use another sequence for numbers without gaps");
        }
        return gapless;
    }

    /** What numbers the keys of a sequence outside of transactions. */
    KeyedSource source(Sequence sequence) {
        KeyedSource known = bySequence.get(sequence.name());
        if (known != null) {
            return known;
        }
        KeyedSource found = configured(sequence.settings())
                .orElseThrow(() -> new IdUnavailableException("The source of ids is closed: " + sequence));
        bySequence.put(sequence.name(), found);
        return found;
    }

    /** Empty once ended. */
    private Optional<KeyedSource> configured(Settings settings) {
        Map<Setting<?>, Optional<Object>> given =
                KeyedSettings.ALL.stream().collect(Collectors.toMap(each -> each, settings::given));
        Optional<KeyedSource> found = bySettings.get(given, () -> {
            KeyedSource opened = opened(settings);
            Optional.ofNullable(former.get(given)).ifPresent(opened::learn);
            return opened;
        });
        if (found.isPresent()) {
            former.remove(given);
        }
        return found;
    }

    private KeyedSource opened(Settings settings) {
        return switch (settings.get(KeyedSettings.BACKEND)) {
            case ROW ->
                KeyedRows.in(
                        database(settings),
                        new KeyedRows.Options(
                                table(settings),
                                settings.get(CoreSettings.CREATE_TABLES),
                                Math.toIntExact(settings.get(KeyedSettings.CONNECTIONS)),
                                settings.get(CoreSettings.TIMEOUT)),
                        memory(settings));
            case SECTION -> inDatabase(settings, SectionSettings.options(settings));
            case REMOTE ->
                new RemoteKeys(
                        KeyedSettings.REMOTE,
                        KeyedSettings.REMOTE.read(
                                settings,
                                "distributedid.keyed.backend=remote needs the servers of an issuing service"));
        };
    }

    private KnownRecords.Memory memory(Settings settings) {
        return settings.given(KeyedSettings.SERVER)
                .flatMap(elsewhere -> context.applicationDatabase())
                .<KnownRecords.Memory>map(database -> new RowMemory(database, settings.get(CoreSettings.TIMEOUT)))
                .orElse(KnownRecords.Memory.NONE);
    }

    private Sections inDatabase(Settings settings, SectionOptions options) {
        Optional<ConnectionAccess> store = SectionSettings.store(settings);
        UnaryOperator<String> inSql = store.isPresent() ? UnaryOperator.identity() : this::qualified;
        return Sections.inDatabase(
                store.orElseGet(() -> applicationDatabase(settings, SectionSettings.STORE)),
                SectionSettings.table(
                        settings,
                        inSql.apply(settings.get(SectionSettings.TABLE)),
                        inSql.apply(settings.get(KeyedSettings.TABLE))),
                options);
    }

    private ConnectionAccess database(Settings settings) {
        return ServerSettingParser.findOne(
                        settings,
                        KeyedSettings.SERVER,
                        KeyedSettings.USER,
                        KeyedSettings.PASSWORD,
                        "since all rows of a sequence are in one database. Give each sequence its own by"
                                + " distributedid.seq.<name>.keyed.row.server; or take numbers from an issuing"
                                + " service, by distributedid.keyed.backend=remote")
                .orElseGet(() -> applicationDatabase(settings, KeyedSettings.SERVER));
    }

    private ConnectionAccess applicationDatabase(Settings settings, Setting<?> instead) {
        return context.applicationDatabase()
                .orElseThrow(() -> settings.missing(
                        instead,
                        "Without Hibernate, with a tenant in every connection, or with several DataSource beans of"
                                + " which none is primary, no database of the application can hold the rows. Or pass"
                                + " the database to DistributedIds.Builder.applicationDatabase"));
    }

    /** The table of a sequence on connections of the caller. */
    String table(Sequence sequence) {
        return tables.computeIfAbsent(sequence.name(), name -> table(sequence.settings()));
    }

    /** With its schema if the application's database has one for tables without. */
    private String table(Settings settings) {
        String table = settings.get(KeyedSettings.TABLE);
        return settings.given(KeyedSettings.SERVER).isEmpty() ? qualified(table) : table;
    }

    private String qualified(String table) {
        return table.indexOf('.') >= 0
                ? table
                : context.applicationDatabase()
                        .flatMap(ConnectionAccess::namespace)
                        .map(namespace -> namespace + "." + table)
                        .orElse(table);
    }

    @Override
    public IdSource open(Sequence sequence) {
        throw new IdConfigurationException(
                "Numbers per key are not ids: " + sequence + ". Take them from DistributedIds.keyed");
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return new DecodedId(id, null, Map.of());
    }

    @Override
    public void stopWaiting() {
        each(KeyedSource::stop);
    }

    @Override
    public void cut() {
        each(KeyedSource::cut);
    }

    @Override
    public void abandon() {
        each(KeyedSource::abandon);
    }

    @Override
    public void close() {
        each(KeyedSource::close);
    }

    private void each(Consumer<KeyedSource> end) {
        bySettings.end().values().forEach(end);
    }
}
