package io.distributedid.internal.keyed;

import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.keyed.row.GaplessRows;
import io.distributedid.internal.keyed.row.RowServers;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections of numbers per key, until the next suspend or the close. A {@link Backend}, so that it ends together
 * with those of ids; but it gives no ids. Sequences whose settings are the same share connections. Thread-safe.
 */
public final class KeyedBackend implements Backend {

    /** Everything that connections depend on. */
    private record Values(
            Optional<Object> servers, Optional<Object> user, Optional<Object> password, RowServers.Options options) {}

    private final BackendContext context;

    private final Map<Values, RowServers> byValues = new ConcurrentHashMap<>();

    /** Settings are parsed once, since each number needs them. */
    private final Map<String, KeyedSource> bySequence = new ConcurrentHashMap<>();

    private final Map<String, String> tables = new ConcurrentHashMap<>();

    private final GaplessRows gapless = new GaplessRows();

    KeyedBackend(BackendContext context) {
        this.context = context;
    }

    GaplessRows gapless() {
        return gapless;
    }

    /** What numbers the keys of a sequence outside of transactions. */
    KeyedSource source(Sequence sequence) {
        KeyedSource known = bySequence.get(sequence.name());
        return known != null ? known : bySequence.computeIfAbsent(sequence.name(), name -> configured(sequence));
    }

    private KeyedSource configured(Sequence sequence) {
        Settings settings = sequence.settings();
        KeyedSettings.Place unused = settings.get(KeyedSettings.BACKEND);
        RowServers.Options options = new RowServers.Options(
                table(settings),
                settings.get(KeyedSettings.CREATE_TABLE),
                Math.toIntExact(settings.get(KeyedSettings.CONNECTIONS)),
                settings.get(KeyedSettings.TIMEOUT));
        Values values = new Values(
                settings.given(KeyedSettings.SERVERS),
                settings.given(KeyedSettings.USER),
                settings.given(KeyedSettings.PASSWORD),
                options);
        return byValues.computeIfAbsent(values, key -> new RowServers(accesses(settings), options));
    }

    private List<ConnectionAccess> accesses(Settings settings) {
        List<ConnectionAccess> found =
                ServerSettingParser.find(settings, KeyedSettings.SERVERS, KeyedSettings.USER, KeyedSettings.PASSWORD);
        if (!found.isEmpty()) {
            return found;
        }
        return List.of(context.applicationDatabase()
                .orElseThrow(() -> settings.missing(
                        KeyedSettings.SERVERS,
                        "Without Hibernate, or with a tenant in every connection, no database of the application can"
                                + " hold the rows. Or give it to DistributedIds.Builder.applicationDatabase")));
    }

    /** The table of a sequence on connections of the caller. */
    String table(Sequence sequence) {
        return tables.computeIfAbsent(sequence.name(), name -> table(sequence.settings()));
    }

    /** With its schema if the application's database has one for tables without. */
    private String table(Settings settings) {
        String table = settings.get(KeyedSettings.TABLE);
        boolean isInApplication = settings.given(KeyedSettings.SERVERS).isEmpty();
        return isInApplication && table.indexOf('.') < 0
                ? context.applicationDatabase()
                        .flatMap(ConnectionAccess::namespace)
                        .map(namespace -> namespace + "." + table)
                        .orElse(table)
                : table;
    }

    @Override
    public IdSource open(Sequence sequence) {
        throw new IdConfigurationException(
                "Numbers per key are no ids: " + sequence + ". Take them from DistributedIds.keyed");
    }

    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return new DecodedId(id, null, Map.of());
    }

    @Override
    public void stopWaiting() {
        byValues.values().forEach(RowServers::stop);
    }

    @Override
    public void cut() {
        byValues.values().forEach(RowServers::cut);
    }

    @Override
    public void abandon() {
        byValues.values().forEach(RowServers::abandon);
    }

    @Override
    public void close() {
        byValues.values().forEach(RowServers::close);
    }
}
