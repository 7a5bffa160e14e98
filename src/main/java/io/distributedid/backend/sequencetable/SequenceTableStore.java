package io.distributedid.backend.sequencetable;

import io.distributedid.DecodedId;
import io.distributedid.internal.counter.CounterStore;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;

/**
 * The sequence table: {@code sequence(name, id)} with a row per sequence that holds the last id reserved. A block of n
 * ids is one UPDATE that adds n, see {@link MySqlSequenceTableDialect}; the row is created at the first use of a name.
 * After Yupoo's sharding, and Meituan's Leaf and Didi's TinyID, which take blocks from such a table.
 *
 * <p>The table is in the persistence unit's own database unless servers are set. N servers divide the numbers between
 * them: rows on server i start at i and count in steps of N. Who divides how is written into the
 * {@link io.distributedid.internal.counter.RecordTable} beside it, and a client that would divide otherwise is refused.
 *
 * <p>Blocks are reserved on threads of our own in transactions of their own: a rollback of the application's gives no
 * id back. On a clean stop the unused rest of the last block is handed back by compare-and-set.
 */
final class SequenceTableStore implements CounterStore<SequenceRow> {

    private final BackendContext context;

    SequenceTableStore(BackendContext context) {
        this.context = context;
    }

    @Override
    public CountingSettings settings() {
        return SequenceTableSettings.COUNTING;
    }

    @Override
    public SequenceRow key(Settings settings, String sequence) {
        return new SequenceRow(table(settings), sequence);
    }

    private String table(Settings settings) {
        String table = settings.get(SequenceTableSettings.TABLE);
        boolean isInApplication = settings.given(settings().servers()).isEmpty();
        return isInApplication && table.indexOf('.') < 0
                ? context.applicationDatabase()
                        .flatMap(ConnectionAccess::namespace)
                        .map(namespace -> namespace + "." + table)
                        .orElse(table)
                : table;
    }

    @Override
    public long start(Settings settings) {
        return settings.get(SequenceTableSettings.START);
    }

    @Override
    public List<ConnectionAccess> serversIfUnset(Settings settings) {
        return List.of(context.applicationDatabase()
                .orElseThrow(() -> settings.missing(
                        settings().servers(),
                        "Without Hibernate, or with a tenant in every connection, there is no database of our own to"
                                + " hold the sequence table")));
    }

    @Override
    public Connector<SequenceRow> connector(Settings settings, List<String> labels, boolean createTable) {
        List<TablePins> pins = labels.stream().map(label -> new TablePins()).toList();
        return (connection, place) -> new SequenceTableSession(
                connection, labels.get(place), new Numbering(labels.size(), place + 1L), createTable, pins.get(place));
    }

    /** The id is a plain count: it has no fields. */
    @Override
    public DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of());
    }
}
