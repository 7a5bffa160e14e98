package io.distributedid.backend.sequencetable;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.jdbc.OwnTable;
import io.distributedid.internal.jdbc.Servers;
import io.distributedid.internal.settings.TableName;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a schema export has to know of sequence tables. */
public final class SequenceTableSchema {

    private static final OwnTable.Ddl DDL =
            (product, table) -> SequenceTableDialect.of(product).ddl(table);

    private static final String BACKEND = "sequence_table";

    private SequenceTableSchema() {}

    /**
     * The sequence tables that lie in the application's own database.
     *
     * @param settings for all sequences
     * @return each once
     */
    public static Set<OwnTable> tablesInOwnDatabase(Settings settings) {
        Set<OwnTable> tables = new LinkedHashSet<>();
        Stream.concat(Stream.of(settings), settings.sequences().stream().map(settings::forSequence))
                .flatMap(each -> table(each).stream())
                .forEach(table -> {
                    tables.add(table);
                    tables.add(RecordTable.ownTable(table.name()));
                });
        return tables;
    }

    private static Optional<OwnTable> table(Settings settings) {
        boolean ours = settings.text(DistributedIdSettings.BACKEND)
                        .filter(BACKEND::equals)
                        .isPresent()
                && settings.object(DistributedIdSettings.SEQUENCE_TABLE_SERVERS).isEmpty();
        return ours ? Optional.of(new OwnTable(tableName(settings), DDL)) : Optional.empty();
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
