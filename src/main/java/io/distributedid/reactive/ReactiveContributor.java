package io.distributedid.reactive;

import io.distributedid.hibernate.internal.ReactiveMode;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;

/**
 * Exchanges the generators of a persistence unit of Hibernate Reactive. This is the last hook before Hibernate 6.6
 * makes the generators of ids, and keeps them. Found by {@link java.util.ServiceLoader}.
 */
public final class ReactiveContributor implements AdditionalMappingContributor {

    /** For Hibernate. */
    public ReactiveContributor() {}

    @Override
    public String getContributorName() {
        return "distributedid-reactive";
    }

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext context) {
        if (ReactiveMode.is(context.getBootstrapContext().getServiceRegistry())) {
            metadata.getEntityBindingMap().values().forEach(GeneratorExchange::exchange);
        }
    }
}
