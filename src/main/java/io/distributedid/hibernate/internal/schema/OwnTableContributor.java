package io.distributedid.hibernate.internal.schema;

import io.distributedid.DistributedIdSettings;
import io.distributedid.backend.sequencetable.SequenceTableSchema;
import io.distributedid.backend.snowflake.lease.LeaseSettings;
import io.distributedid.internal.counter.RecordTable;
import io.distributedid.internal.jdbc.OwnTable;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.engine.config.spi.ConfigurationService;

/**
 * Adds the tables and functions of ours that lie in the persistence unit's own database to Hibernate's schema export, which creates what is
 * missing, and drops nothing of it. Found by {@link java.util.ServiceLoader}.
 */
public final class OwnTableContributor implements AdditionalMappingContributor {

    private static final String NAME = "distributedid";

    private static final Set<String> COUNTING = Set.of("ticket", "sequence_table");

    /** For {@link java.util.ServiceLoader}. */
    public OwnTableContributor() {}

    @Override
    public String getContributorName() {
        return NAME;
    }

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext context) {
        StandardServiceRegistry registry = context.getBootstrapContext().getServiceRegistry();
        Map<String, Object> all =
                registry.requireService(ConfigurationService.class).getSettings();
        Settings settings = Settings.of(all);
        NextIdExport.of(settings, all, metadata.getDatabase().getDialect(), registry)
                .ifPresent(contributions::contributeAuxiliaryDatabaseObject);
        List<OwnTable> tables = new ArrayList<>(SequenceTableSchema.tablesInOwnDatabase(settings));
        tables.addAll(LeaseSettings.tablesInOwnDatabase(settings));
        if (anySequenceHasAPlace(settings)) {
            tables.add(RecordTable.ownTable(""));
        }
        new LinkedHashSet<>(tables)
                .forEach(table -> contributions.contributeAuxiliaryDatabaseObject(OwnTableExport.of(table, all)));
    }

    /** The entities' database then remembers which counters, or leased worker numbers, their ids come from, wherever those are. */
    private static boolean anySequenceHasAPlace(Settings settings) {
        return Stream.concat(Stream.of(settings), settings.sequences().stream().map(settings::forSequence))
                .anyMatch(each -> each.text(DistributedIdSettings.BACKEND)
                        .filter(backend -> COUNTING.contains(backend)
                                || (backend.equals("snowflake") && LeaseSettings.isLeased(each)))
                        .isPresent());
    }
}
