package io.distributedid.backend.ticket;

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

/** {@code distributedid.backend=ticket}: Flickr's ticket servers. */
public final class TicketBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public TicketBackendProvider() {}

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return TicketSettings.ALL;
    }

    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        if (target.isApplications()) {
            return List.of();
        }
        TicketTable table = TicketTable.of(settings);
        return List.of(
                new SchemaObject.SqlObject(table.name(), table.ddl(target.product())),
                LedgerSql.beside(target.product(), table.name()).schemaObject());
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new CountingBackend(context, new TicketStore(), Platform.JVM);
    }
}
