package io.distributedid.backend.sequencetable;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.settings.TableName;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Set;

/** {@code distributedid.backend=sequence_table}: one row per sequence. */
public final class SequenceTableBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public SequenceTableBackendProvider() {}

    @Override
    public String name() {
        return "sequence_table";
    }

    @Override
    public Set<String> settings() {
        return Set.of(
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS,
                DistributedIdSettings.SEQUENCE_TABLE_USER,
                DistributedIdSettings.SEQUENCE_TABLE_PASSWORD,
                DistributedIdSettings.SEQUENCE_TABLE_TABLE,
                DistributedIdSettings.SEQUENCE_TABLE_START,
                DistributedIdSettings.SEQUENCE_TABLE_MAX_DISTANCE,
                DistributedIdSettings.SEQUENCE_TABLE_BEHIND,
                DistributedIdSettings.SEQUENCE_TABLE_FAILOVER,
                DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE,
                DistributedIdSettings.SEQUENCE_TABLE_TIMEOUT);
    }

    /** The sequence table and its record, where they are to be. */
    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        boolean isOnServers =
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_SERVERS).isPresent();
        if (target.isApplications() && isOnServers) {
            return List.of();
        }
        String table = tableName(settings);
        return List.of(
                new SchemaObject.Table(table, SequenceTableDialect.of(target.product())::ddl),
                RecordTable.schemaObject(target.product(), table));
    }

    static String tableName(Settings settings) {
        return TableName.of(settings, DistributedIdSettings.SEQUENCE_TABLE_TABLE, "sequence");
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new CountingBackend<>(context, new SequenceTableStore(context));
    }
}
