package io.distributedid.hibernate.internal;

import org.hibernate.service.spi.SessionFactoryServiceContributor;
import org.hibernate.service.spi.SessionFactoryServiceInitiator;
import org.hibernate.service.spi.SessionFactoryServiceInitiatorContext;
import org.hibernate.service.spi.SessionFactoryServiceRegistryBuilder;

/** Registers {@link UnitIds} with Hibernate. Found by {@link java.util.ServiceLoader}. */
public final class UnitIdsContributor implements SessionFactoryServiceContributor {

    @Override
    public void contribute(SessionFactoryServiceRegistryBuilder builder) {
        builder.addInitiator(new SessionFactoryServiceInitiator<UnitIds>() {
            @Override
            public UnitIds initiateService(SessionFactoryServiceInitiatorContext context) {
                return new UnitIds();
            }

            @Override
            public Class<UnitIds> getServiceInitiated() {
                return UnitIds.class;
            }
        });
    }
}
