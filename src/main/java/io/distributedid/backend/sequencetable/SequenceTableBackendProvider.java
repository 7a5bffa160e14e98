package io.distributedid.backend.sequencetable;

import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.List;

/** {@code distributedid.backend=sequence_table}: one row per sequence. */
public final class SequenceTableBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public SequenceTableBackendProvider() {}

    @Override
    public String name() {
        return "sequence_table";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return SequenceTableSettings.ALL;
    }

    /** The sequence table and its ledger: on the servers if any are set, else in the database of the application. */
    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        boolean isOnServers =
                settings.given(SequenceTableSettings.COUNTING.servers()).isPresent();
        if (target.isApplications() && isOnServers) {
            return List.of();
        }
        String table = settings.get(SequenceTableSettings.TABLE);
        return List.of(
                new SchemaObject.Table(table, name -> SequenceTableLook.ddl(target.product(), name)),
                LedgerSql.beside(target.product(), table).schemaObject());
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new CountingBackend(context, new SequenceTableStore(context), Platform.JVM);
    }
}
