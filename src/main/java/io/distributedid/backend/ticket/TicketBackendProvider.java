package io.distributedid.backend.ticket;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Set;

/** {@code distributedid.backend=ticket}: Flickr's ticket servers. */
public final class TicketBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public TicketBackendProvider() {}

    @Override
    public String name() {
        return "ticket";
    }

    @Override
    public Set<String> settings() {
        return Set.of(
                DistributedIdSettings.TICKET_SERVERS,
                DistributedIdSettings.TICKET_USER,
                DistributedIdSettings.TICKET_PASSWORD,
                DistributedIdSettings.TICKET_TABLE,
                DistributedIdSettings.TICKET_STYLE,
                DistributedIdSettings.TICKET_BITS,
                DistributedIdSettings.TICKET_MAX_DISTANCE,
                DistributedIdSettings.TICKET_BEHIND,
                DistributedIdSettings.TICKET_FAILOVER,
                DistributedIdSettings.TICKET_NUMBERING,
                DistributedIdSettings.TICKET_CREATE_TABLE,
                DistributedIdSettings.TICKET_TIMEOUT);
    }

    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        if (target.isApplications()) {
            return List.of();
        }
        TicketTable table = TicketTable.of(settings);
        TicketDialect dialect = TicketDialect.of(target.product());
        return List.of(
                new SchemaObject.SqlObject(table.name(), dialect.ddl(table)),
                RecordTable.schemaObject(target.product(), table.name()));
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new CountingBackend<>(context, new TicketStore());
    }
}
