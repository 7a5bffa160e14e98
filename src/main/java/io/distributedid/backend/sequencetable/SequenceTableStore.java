package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.CountingStore;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * The sequence table {@code sequence(name, id)}: each sequence has a row with the last id reserved. A block of n ids is
 * one UPDATE that adds n, see {@link Draws}. The first use of a name creates its row. After Yupoo's sharding, and
 * Meituan's Leaf and Didi's TinyID, which take blocks from such a table.
 *
 * <p>The table is in the persistence unit's own database unless servers are set. N servers divide the numbers between
 * them: rows on server i start at i and count in steps of N. The ledger beside the table keeps that numbering, and a
 * client with another numbering is refused.
 *
 * <p>The library's threads reserve blocks in their own transactions, so a rollback of the application returns no id.
 */
final class SequenceTableStore implements CountingStore {

    private final BackendContext context;

    SequenceTableStore(BackendContext context) {
        this.context = context;
    }

    @Override
    public CountingSettings settings() {
        return SequenceTableSettings.COUNTING;
    }

    @Override
    public CounterKey key(Settings settings, String sequence) {
        return new CounterKey(table(settings), sequence, sequence);
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
    public List<? extends Link.Source<CounterSession>> servers(Settings settings) {
        List<ConnectionAccess> found = settings().servers(settings);
        List<ConnectionAccess> accesses = found.isEmpty() ? List.of(applicationDatabase(settings)) : found;
        boolean createTables = settings.get(CoreSettings.CREATE_TABLES);
        List<JdbcLink.Source<CounterSession>> servers = new ArrayList<>();
        for (ConnectionAccess access : accesses) {
            Numbering numbering = new Numbering(accesses.size(), servers.size() + 1L);
            servers.add(new JdbcLink.Source<>(
                    access,
                    connection -> new SequenceTableSession(connection, access.label(), numbering, createTables)));
        }
        return servers;
    }

    private ConnectionAccess applicationDatabase(Settings settings) {
        return context.applicationDatabase()
                .orElseThrow(() -> settings.missing(
                        settings().servers(),
                        "Without Hibernate, with a tenant in every connection, or with several DataSource"
                                + " beans of which none is primary, no database of the application can hold the"
                                + " sequence table"));
    }
}
