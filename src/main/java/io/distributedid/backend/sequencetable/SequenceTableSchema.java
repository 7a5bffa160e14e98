package io.distributedid.backend.sequencetable;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.jdbc.Servers;
import io.distributedid.internal.settings.TableName;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;

/** What the settings say of sequence tables. */
final class SequenceTableSchema {

    private SequenceTableSchema() {}

    /** The sequence table and its record, where they are to be. */
    static List<SchemaObject> of(Settings settings, SchemaTarget target) {
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

    static List<ConnectionAccess> servers(Settings settings, Duration timeout) {
        return Servers.find(
                settings,
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS,
                DistributedIdSettings.SEQUENCE_TABLE_USER,
                DistributedIdSettings.SEQUENCE_TABLE_PASSWORD,
                timeout);
    }

    static String tableName(Settings settings) {
        return TableName.of(settings, DistributedIdSettings.SEQUENCE_TABLE_TABLE, "sequence");
    }
}
