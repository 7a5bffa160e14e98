package io.distributedid.hibernate;

import org.hibernate.service.spi.SessionFactoryServiceContributor;
import org.hibernate.service.spi.SessionFactoryServiceInitiator;
import org.hibernate.service.spi.SessionFactoryServiceInitiatorContext;
import org.hibernate.service.spi.SessionFactoryServiceRegistryBuilder;

/** Makes the {@link DistributedIdService} known to Hibernate, by {@link java.util.ServiceLoader}. */
public final class DistributedIdServiceContributor implements SessionFactoryServiceContributor {

    /** For {@link java.util.ServiceLoader}. */
    public DistributedIdServiceContributor() {}

    @Override
    public void contribute(SessionFactoryServiceRegistryBuilder builder) {
        builder.addInitiator(new SessionFactoryServiceInitiator<DistributedIdService>() {
            @Override
            public DistributedIdService initiateService(SessionFactoryServiceInitiatorContext context) {
                return new DistributedIdService(context.getSessionFactory());
            }

            @Override
            public Class<DistributedIdService> getServiceInitiated() {
                return DistributedIdService.class;
            }
        });
    }
}
