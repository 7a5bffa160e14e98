package io.distributedid.hibernate.internal.schema;

import io.distributedid.internal.property.IdMember;
import io.distributedid.internal.registry.BackendSchemas;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.mapping.PersistentClass;

/**
 * Adds to Hibernate's schema export: the tables and functions of backends in the persistence unit's own database, and
 * the ledger that remembers the places of sequences. The export creates missing ones and drops none. Found by
 * {@link java.util.ServiceLoader}.
 */
public final class SchemaContributor implements AdditionalMappingContributor {

    private static final String NAME = "distributedid";

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
        SchemaTarget target = new SchemaTarget(
                SchemaObjectExport.product(metadata.getDatabase().getDialect()),
                true,
                registry.getService(MultiTenantConnectionProvider.class) != null,
                Optional.ofNullable(all.get("hibernate.default_schema")).map(Object::toString));
        new BackendSchemas(Settings.of(all))
                .ofApplication(
                        target, sequencesPerKey(metadata.getEntityBindingMap().values()))
                .forEach(object -> contributions.contributeAuxiliaryDatabaseObject(SchemaObjectExport.of(object, all)));
    }

    /** Which sequences have numbers per key, before {@code MappingScan} checks their annotations. */
    private static Set<String> sequencesPerKey(Collection<PersistentClass> entities) {
        return entities.stream()
                .filter(entity -> entity.getClassName() != null)
                .flatMap(entity -> IdMember.in(entity.getMappedClass()).stream())
                .map(IdMember::of)
                .filter(annotation -> annotation.perKey().isPresent())
                .map(IdMember::seq)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
